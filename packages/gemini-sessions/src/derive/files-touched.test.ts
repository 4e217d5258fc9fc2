import { describe, expect, it } from 'vitest'
import { answer, at, logFile, prompt } from '../../test/make-file.ts'
import { touchedFileSchema } from '../model/insights.ts'
import { findFileCalls } from './find-file-calls.ts'
import { stitchGroup } from './stitch.ts'
import { mergeFileChanges, mergeTouchedFiles, TouchedFileList } from './touched-file-list.ts'

const ROOT = '/home/me/shop'

function call(id: string, name: string, args: unknown, fields: Record<string, unknown> = {}) {
  const response = { functionResponse: { id, name, response: { output: 'ok' } } }
  return { id, name, args, status: 'success', timestamp: at(3), result: [response], ...fields }
}

/** A whole-content diff, as 0.25 and later store it. */
function edit(id: string, before: string | null, after: string, fields: Record<string, unknown> = {}) {
  const [old, now] = [before?.trimEnd() ?? null, after.trimEnd()]
  const fileDiff = `--- a.ts\tCurrent\n+++ a.ts\tProposed\n@@ -1 +1 @@\n${old === null ? '' : `-${old}\n`}+${now}\n`
  const resultDisplay = {
    fileDiff,
    fileName: 'a.ts',
    filePath: `${ROOT}/src/a.ts`,
    originalContent: before,
    newContent: after,
    isNewFile: before === null,
  }
  return call(id, 'replace', { file_path: 'src/a.ts' }, { resultDisplay, ...fields })
}

type Rows = Parameters<typeof logFile>[1]

function list(rows: Rows, wanted: string | null = null): TouchedFileList {
  const [session] = stitchGroup([logFile({ start: 1 }, rows)])
  const files = new TouchedFileList(ROOT, wanted)
  for (const [offset, message] of (session?.messages ?? []).entries()) {
    const place = { sessionKey: 's', offset, root: ROOT, isAgent: false }
    for (const touch of findFileCalls(message, place)) files.add(touch)
  }
  return files
}

function files(rows: Rows) {
  return list(rows)
    .files()
    .map((file) => touchedFileSchema.parse(file))
}

describe('the files that a session touched', () => {
  it('are one each, however they were spelled, with what was done to them', () => {
    const toolCalls = [
      call('1', 'read_file', { absolute_path: '/home/me/shop/src/a.ts' }),
      call('2', 'read_file', { file_path: './src/a.ts' }, { timestamp: at(4) }),
      edit('3', 'one\n', 'two\n'),
      call('4', 'list_directory', { path: 'src' }),
      call('5', 'grep_search', { pattern: 'total' }),
      call('6', 'run_shell_command', { command: 'rm -rf src/a.ts', dir_path: 'src' }),
      call('7', 'mcp_files_open', { path: 'docs/x.md' }),
    ]
    expect(files([prompt('p', 1), answer('m', 2, { toolCalls })])).toMatchObject([
      { name: 'src/a.ts', reads: 2, edits: 1, recorded: { linesAdded: 1, linesRemoved: 1 }, lastTime: at(4) },
      { name: '.', path: ROOT, searches: 1 },
      { name: 'docs/x.md', mentions: 1 },
      { name: 'src', searches: 1 },
    ])
  })

  it('count what failed and what was declined apart from what was done', () => {
    const toolCalls = [
      edit('1', 'one\n', 'two\n', { status: 'cancelled' }),
      call('2', 'replace', { file_path: 'src/a.ts' }, { status: 'error', resultDisplay: 'no match' }),
      call('3', 'read_file', { file_path: 'src/b.ts' }, { status: 'error' }),
    ]
    expect(files([prompt('p', 1), answer('m', 2, { toolCalls })])).toMatchObject([
      { name: 'src/a.ts', edits: 0, failed: 2, failedEdits: 2, recorded: null, net: null },
      { name: 'src/b.ts', reads: 0, failed: 1, failedEdits: 0 },
    ])
  })

  it('come to what lies between the first content and the last, not to the sum of the edits', () => {
    const toolCalls = [edit('1', 'one\n', 'two\n'), edit('2', 'two\n', 'one\nthree\n')]
    const [file] = files([prompt('p', 1), answer('m', 2, { toolCalls })])
    expect(file).toMatchObject({
      recorded: { linesAdded: 2, linesRemoved: 2 },
      net: { linesAdded: 1, linesRemoved: 0 },
    })
  })

  it('say when something else changed the file in between', () => {
    const between = [edit('1', 'one\n', 'two\n'), edit('2', 'other\n', 'three\n')]
    const smooth = [edit('1', 'one\n', 'two\n'), edit('2', 'two\n', 'three\n')]
    const change = (toolCalls: unknown[]) =>
      list([prompt('p', 1), answer('m', 2, { toolCalls })], `${ROOT}/src/a.ts`).change()
    expect(change(between)).toMatchObject({ isContinuous: false, net: { originalContent: 'one\n' } })
    expect(change(smooth)).toMatchObject({ isContinuous: true, calls: [{ callId: '1' }, { callId: '2' }] })
  })

  it('have no net change where only pieces are known, but the sum of what was recorded', () => {
    const piece = (id: string, old: string, now: string) =>
      call(id, 'replace', { file_path: 'src/a.ts', old_string: old, new_string: now })
    const toolCalls = [piece('1', 'one', 'two'), piece('2', 'three', 'four\nfive')]
    expect(files([prompt('p', 1), answer('m', 2, { toolCalls })])).toMatchObject([
      { edits: 2, recorded: { linesAdded: 3, linesRemoved: 2 }, net: null },
    ])
  })

  it('keep rewound edits in sight, but out of what the session came to', () => {
    const rows = [
      prompt('p', 1),
      answer('m', 2, { toolCalls: [edit('1', 'one\n', 'two\n')] }),
      prompt('q', 3),
      answer('n', 4, { toolCalls: [edit('2', 'two\n', 'two\nmore\n')] }),
      { $rewindTo: 'q' },
    ]
    expect(files(rows)).toMatchObject([{ edits: 2, superseded: 1, net: { linesAdded: 1, linesRemoved: 1 } }])
  })
})

describe('files of a session and its sub-agents', () => {
  const session = (rows: Rows) => list(rows, `${ROOT}/src/a.ts`)
  const reader = session([
    prompt('p', 1),
    answer('m', 2, { toolCalls: [call('r', 'read_file', { path: 'src/a.ts' })] }),
  ])
  const writer = session([prompt('p', 1), answer('m', 2, { toolCalls: [edit('1', 'one\n', 'two\n')] })])

  it('are added up, with the net change of the one that changed them', () => {
    expect(mergeTouchedFiles([reader.files(), writer.files()])).toMatchObject([
      { name: 'src/a.ts', reads: 1, edits: 1, net: { linesAdded: 1, linesRemoved: 1 } },
    ])
  })

  it('have no net change where two changed them', () => {
    expect(mergeTouchedFiles([writer.files(), writer.files()])).toMatchObject([{ edits: 2, net: null }])
    const both = [writer.change(), writer.change()].filter((change) => change !== null)
    expect(mergeFileChanges(both)).toMatchObject({ net: null, isContinuous: null })
  })
})
