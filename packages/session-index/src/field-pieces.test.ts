import { describe, expect, it } from 'vitest'
import { makeMessage, makeToolCall, text } from '../test/make-session.ts'
import { fieldPieces, indexedPieces } from './text.ts'

const PLAIN = { bold: false, italic: false, underline: false, dim: false, inverse: false, fg: '', bg: '' }

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
      ['tool-args', '3'],
      ['tool-output', 'Wrote it'],
    ])
    expect(fieldPieces(answer).at(-1)?.toolName).toBe('write_file')
  })

  it.each([
    ['replace', []],
    ['mcp_crm_find', ['filter', 'customerSegment']],
    ['crm__find', ['filter', 'customerSegment']],
    ['find_customers', ['customerSegment']],
  ])('searches the argument names of %s: %j', (name, names) => {
    const call = makeToolCall({ name, args: { filter: [{ customerSegment: 'gold' }] } })
    const texts = fieldPieces(makeMessage({ key: 'm', type: 'gemini', toolCalls: [call] })).map(
      (piece) => piece.text,
    )
    expect(texts).toEqual([...names, 'gold'])
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

  const outputsOf = (call: Parameters<typeof makeToolCall>[0]) =>
    fieldPieces(makeMessage({ key: 'm', type: 'gemini', toolCalls: [makeToolCall(call)] }))
      .filter(({ field }) => field === 'tool-output')
      .map((piece) => piece.text)

  it('adds the display of a tool only where it says something else', () => {
    const output = { kind: 'text', text: 'Listing: a.ts, b.ts' } as const
    const of = (display: Parameters<typeof makeToolCall>[0]['display']) => outputsOf({ output, display })
    expect(of({ kind: 'text', text: 'a.ts' })).toEqual(['Listing: a.ts, b.ts'])
    expect(of({ kind: 'text', text: 'Found 2 files' })).toEqual(['Listing: a.ts, b.ts', 'Found 2 files'])
    const line = (text: string) => [{ ...PLAIN, text }]
    expect(of({ kind: 'ansi', lines: [line('Listing: a.ts, b.ts'), line('1 hidden')] })).toEqual([
      'Listing: a.ts, b.ts',
      '1 hidden',
    ])
  })

  it('N2: says of a diff what the arguments do not: removed lines, those beside them, what a person changed', () => {
    const args = { file_path: 'price.ts', content: 'export const keep = 1\nexport const added = 2' }
    const diff = {
      kind: 'diff' as const,
      fileName: 'price.ts',
      filePath: '/shop/price.ts',
      originalContent: null,
      newContent: null,
      linesAdded: 1,
      linesRemoved: 2,
      isNewFile: false,
      isRebuilt: false,
    }
    const fileDiff = [
      ...['Index: price.ts', '--- price.ts\tOriginal', '+++ price.ts\tWritten', '@@ -1,4 +1,2 @@'],
      ...['-export function legacyDiscount(price) {', '-  return price * 0.9', ' export const keep = 1'],
      ...[
        '+export const added = 2',
        '@@ -9 +8,2 @@',
        ' // beside',
        '+by hand',
        '\\ No newline at end of file',
      ],
    ].join('\n')
    expect(outputsOf({ args, display: { ...diff, fileDiff } })).toEqual([
      '-export function legacyDiscount(price) {\n-  return price * 0.9',
      ' // beside\n+by hand',
    ])
    const whole = { ...diff, fileDiff: '', originalContent: 'old one\n', newContent: args.content }
    expect(outputsOf({ args, display: whole })).toEqual(['-old one'])
  })

  it('N1: says numbers and descriptions of arguments, and all of a result of an unknown shape', () => {
    const call = makeToolCall({
      args: { path: '/srv/app', port: 48_211 },
      description: 'Serves srv/app on a port',
      output: { kind: 'unknown', json: { order_id: 77, lines: ['tea'] } },
      extraParts: [{ kind: 'code', code: 'print(1)', language: 'python', outcome: null, output: 'one' }],
    })
    expect(shape(fieldPieces(makeMessage({ key: 'm', type: 'gemini', toolCalls: [call] })))).toEqual([
      ['tool-args', '/srv/app'],
      ['tool-args', '48211'],
      ['tool-args', 'Serves srv/app on a port'],
      ['tool-output', 'order_id'],
      ['tool-output', 'lines'],
      ['tool-output', '77'],
      ['tool-output', 'tea'],
      ['tool-output', 'print(1)'],
      ['tool-output', 'one'],
    ])
  })
})

describe('indexedPieces', () => {
  it('blanks inline base64 without moving what follows', () => {
    const data = 'QUJD'.repeat(40)
    const [piece] = indexedPieces([
      { field: 'answer', text: `![](data:image/png;base64,${data}) end`, toolName: null },
    ])
    expect(piece?.text).toBe(`![](data:image/png;base64,${' '.repeat(data.length)}) end`)
  })
})
