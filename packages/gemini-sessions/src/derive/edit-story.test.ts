import { describe, expect, it } from 'vitest'
import { answer, at, logFile, prompt } from '../../test/make-file.ts'
import type { SessionEdit } from '../model/insights.ts'
import { doubtEdits, EditStory } from './edit-story.ts'
import { stitchGroup } from './stitch.ts'

const ROOT = '/home/me/shop'
const PATH = `${ROOT}/a.ts`

function call(id: string, name: string, args: object, fields: object = {}, output = 'ok') {
  const response = { functionResponse: { id, name, response: { output } } }
  return { id, name, args, status: 'success', timestamp: at(3), result: [response], ...fields }
}

/** As stored by 0.25 and later: with both contents. */
function edit(id: string, before: string | null, after: string, fields: object = {}) {
  const contents = { originalContent: before, newContent: after, isNewFile: before === null }
  const resultDisplay = { fileDiff: '@@ -1 +1 @@\n-x\n+y\n', fileName: 'a.ts', filePath: PATH, ...contents }
  return call(id, 'replace', { file_path: PATH }, { resultDisplay, ...fields })
}

/** As stored by versions up to 0.24: only the pieces. */
function piece(id: string, before: string, after: string, args: object = {}) {
  return call(id, 'replace', { file_path: PATH, old_string: before, new_string: after, ...args })
}
const write = (id: string, content: string) => call(id, 'write_file', { file_path: PATH, content })
const readFile = (id: string, text: string, args: object = {}) =>
  call(id, 'read_file', { file_path: PATH, ...args }, {}, text)

function story(rows: Parameters<typeof logFile>[1]): SessionEdit[] {
  const [session] = stitchGroup([logFile({ start: 1 }, rows)])
  const edits = new EditStory(ROOT)
  for (const message of session?.messages ?? []) edits.add([message])
  return edits.finish()
}

/** The edits of one answer: `id state` or `id unknown doubt`. */
function states(...toolCalls: object[]): string[] {
  return said(story([prompt('p', 1), answer('m', 2, { toolCalls })]))
}
const said = (edits: readonly SessionEdit[]) =>
  edits.map(({ callId, state, doubt }) => [callId, state, ...(doubt === null ? [] : [doubt])].join(' '))

describe('the edits of a session', () => {
  it('stand, partly or no more, as the last content has their lines', () => {
    expect(states(edit('1', null, 'a\nb\n'), edit('2', 'a\nb\n', 'a\nc\n'))).toEqual(['1 partly', '2 stands'])
    expect(states(edit('1', 'a\n', 'a\nb\n'), edit('2', 'a\nb\n', 'a\n'))).toEqual(['1 gone', '2 stands'])
    // a removal stands until what it removed is back, whatever other lines are equal
    expect(states(edit('1', 'a\n}\nb\n}\n', '}\nb\n'), edit('2', '}\nb\n', 'a\n}\nb\n}\n'))).toEqual([
      '1 gone',
      '2 stands',
    ])
    expect(states(edit('1', 'a\r\n', 'a\r\nb\r\n'), readFile('r', 'a\nb'))).toEqual(['1 stands'])
  })

  it('are held to a later reading of the whole file, and to no reading of a part', () => {
    expect(states(edit('1', 'a\n', 'b\n'), readFile('r', 'c\n'))).toEqual(['1 gone'])
    expect(states(edit('1', 'a\n', 'b\n'), readFile('r', 'c\n', { offset: 4, limit: 1 }))).toEqual([
      '1 stands',
    ])
    expect(states(edit('1', 'a\n', 'b\n'), readFile('r', 'c\n', { start_line: 4 }))).toEqual(['1 stands'])
    const cut =
      'IMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-1 of 9 total lines.\n\nc\n'
    expect(states(edit('1', 'a\n', 'b\n'), readFile('r', cut))).toEqual(['1 stands'])
  })

  it('of versions that stored pieces alone are followed from piece to piece', () => {
    expect(states(piece('1', 'a', 'b'))).toEqual(['1 stands'])
    expect(states(piece('1', 'a', 'b\nc'), piece('2', 'c', 'd'))).toEqual(['1 partly', '2 stands'])
    expect(states(piece('1', 'a', 'b'), piece('2', 'x\nb\ny', 'z'))).toEqual(['1 gone', '2 stands'])
    expect(states(piece('1', 'a', 'b\nc'), piece('2', 'c\nx', 'd'))).toEqual([
      '1 unknown overlap',
      '2 stands',
    ])
    expect(states(write('1', 'a a\n'), piece('2', 'a', 'b', { allow_multiple: true }))).toEqual([
      '1 gone',
      '2 stands',
    ])
    expect(states(write('1', 'a\n'), piece('2', 'not there', 'b'))).toEqual([
      '1 unknown misfit',
      '2 unknown misfit',
    ])
    expect(states(write('1', 'a\n'), piece('2', 'a', '$&b'), readFile('r', '$&b\n'))).toEqual([
      '1 gone',
      '2 stands',
    ])
  })

  it('that were not made, or of which nothing is recorded, say so', () => {
    expect(states(edit('1', 'a\n', 'b\n', { status: 'error' }))).toEqual(['1 not-made'])
    expect(states(edit('1', 'a\n', 'b\n', { status: 'cancelled' }))).toEqual(['1 not-made'])
    expect(states(edit('1', 'a\n', 'b\n'), call('2', 'replace', { file_path: PATH }))).toEqual([
      '1 unknown unrecorded',
      '2 unknown unrecorded',
    ])
    const large = 'line\n'.repeat(100_000)
    expect(states(edit('1', 'a\n', large))).toEqual(['1 unknown too-large'])
  })

  it('that were rewound are unknown, until the file is seen again', () => {
    const rows = (...toolCalls: object[]) => [
      prompt('p', 1),
      answer('m', 2, { toolCalls: [edit('1', 'a\n', 'b\n')] }),
      { $rewindTo: 'p' },
      prompt('q', 5),
      answer('n', 6, { toolCalls }),
    ]
    expect(said(story(rows()))).toEqual(['1 unknown rewound'])
    expect(said(story(rows(readFile('r', 'a\n'))))).toEqual(['1 gone'])
    expect(said(story(rows(edit('2', 'b\n', 'b\nc\n'))))).toEqual(['1 stands', '2 stands'])
  })

  it('are unknown where a sub-agent changed the file later', () => {
    const edits = story([prompt('p', 1), answer('m', 2, { toolCalls: [edit('1', 'a\n', 'b\n')] })])
    const file = { path: PATH, name: 'a.ts', reads: 0, writes: 0, edits: 1, failed: 0 }
    expect(said(doubtEdits(edits, [{ ...file, lastTime: at(2) }]))).toEqual(['1 stands'])
    expect(said(doubtEdits(edits, [{ ...file, lastTime: at(4), edits: 0, reads: 1 }]))).toEqual(['1 stands'])
    expect(said(doubtEdits(edits, [{ ...file, lastTime: at(4) }]))).toEqual(['1 unknown subagent'])
  })

  it('survive whatever arguments a log has', () => {
    for (const args of [
      null,
      7,
      [],
      { file_path: 7 },
      { file_path: PATH, content: null },
      { file_path: '' },
    ]) {
      expect(() => states(call('1', 'write_file', args as object))).not.toThrow()
    }
    expect(states(write('1', ''), piece('2', '', ''))).toHaveLength(2)
  })
})
