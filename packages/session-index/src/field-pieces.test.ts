import { describe, expect, it } from 'vitest'
import { makeMessage, makeToolCall, text } from '../test/make-session.ts'
import { fieldPieces, indexedPieces, TOOL_OUTPUT_LIMIT } from './text.ts'

const shape = (pieces: ReturnType<typeof fieldPieces>) => pieces.map(({ field, text }) => [field, text])

describe('fieldPieces', () => {
  it('sorts what a message says by kind', () => {
    const call = makeToolCall({
      name: 'write_file',
      args: { file_path: 'src/a.ts', edits: [{ new_string: 'let x' }], dry: true, lines: 3 },
      output: { kind: 'text', text: 'Wrote it' },
    })
    const answer = makeMessage({
      key: 'm1',
      type: 'gemini',
      content: text('Done.'),
      thoughts: [{ subject: 'Planning', description: 'I write.', timestamp: null }],
      toolCalls: [call],
    })
    expect(shape(fieldPieces(answer))).toEqual([
      ['answer', 'Done.'],
      ['thought', 'Planning'],
      ['thought', 'I write.'],
      ['tool-args', 'src/a.ts'],
      ['tool-args', 'let x'],
      ['tool-output', 'Wrote it'],
    ])
    expect(fieldPieces(answer).at(-1)?.toolName).toBe('write_file')
  })

  it('tells prompts, injected context and notices apart', () => {
    const attachments = [{ path: 'a.md', text: 'Hello' }]
    expect(shape(fieldPieces(makeMessage({ key: 'p', content: text('Look'), attachments })))).toEqual([
      ['prompt', 'Look'],
      ['attachment', 'a.md'],
      ['attachment', 'Hello'],
    ])
    expect(
      shape(fieldPieces(makeMessage({ key: 'i', origin: 'injected', content: text('Today is') }))),
    ).toEqual([['attachment', 'Today is']])
    expect(shape(fieldPieces(makeMessage({ key: 'n', type: 'info', content: text('Cancelled.') })))).toEqual([
      ['notice', 'Cancelled.'],
    ])
  })

  it('finds nothing twice: copies say nothing, and results carried back only what belongs to no call', () => {
    expect(fieldPieces(makeMessage({ key: 'c', copyOf: 'm1', content: text('Again') }))).toEqual([])
    const again = makeMessage({ key: 'm1', id: 'm1', copyOf: 'm1~2', content: text('Draft') })
    expect(fieldPieces(again).map((piece) => piece.text)).toEqual(['Draft'])
    expect(fieldPieces(makeMessage({ key: 'r', origin: 'tool-result', content: [] }))).toEqual([])
    const orphan = makeMessage({ key: 'o', origin: 'tool-result', content: text('Output') })
    expect(shape(fieldPieces(orphan))).toEqual([['tool-output', 'Output']])
  })

  it('adds the display of a tool only where it says something else, and never the copies of whole files', () => {
    const output = { kind: 'text', text: 'Listing: a.ts, b.ts' } as const
    const of = (display: Parameters<typeof makeToolCall>[0]['display']) =>
      fieldPieces(
        makeMessage({ key: 'm', type: 'gemini', toolCalls: [makeToolCall({ output, display })] }),
      ).map((piece) => piece.text)
    expect(of({ kind: 'text', text: 'a.ts' })).toEqual(['Listing: a.ts, b.ts'])
    expect(of({ kind: 'text', text: 'Found 2 files' })).toEqual(['Listing: a.ts, b.ts', 'Found 2 files'])
    expect(
      of({
        kind: 'diff',
        fileName: 'a.ts',
        filePath: null,
        fileDiff: '+x',
        originalContent: 'old',
        newContent: 'new',
        linesAdded: 1,
        linesRemoved: 0,
        isNewFile: false,
        isRebuilt: false,
      }),
    ).toEqual(['Listing: a.ts, b.ts'])
  })
})

describe('indexedPieces', () => {
  it('keeps three quarters of the head and one of the tail of a long tool output', () => {
    const long = `${'a'.repeat(TOOL_OUTPUT_LIMIT)}MIDDLE${'z'.repeat(TOOL_OUTPUT_LIMIT)}`
    const [head, tail] = indexedPieces([{ field: 'tool-output', text: long, toolName: 'x' }])
    expect(head?.text).toBe('a'.repeat((TOOL_OUTPUT_LIMIT * 3) / 4))
    expect(tail?.text).toBe('z'.repeat(TOOL_OUTPUT_LIMIT / 4))
    expect(indexedPieces([{ field: 'prompt', text: long, toolName: null }])).toHaveLength(1)
  })

  it('blanks inline base64 without moving what follows', () => {
    const data = 'QUJD'.repeat(40)
    const [piece] = indexedPieces([
      { field: 'answer', text: `![](data:image/png;base64,${data}) end`, toolName: null },
    ])
    expect(piece?.text).toBe(`![](data:image/png;base64,${' '.repeat(data.length)}) end`)
  })
})
