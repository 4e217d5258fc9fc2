import { describe, expect, it } from 'vitest'
import { answer, at, logFile, prompt } from '../../test/make-file.ts'
import { stitchGroup } from './stitch.ts'
import { mergeTouchedFiles, type TouchedFile, TouchedFileList } from './touched-file-list.ts'

const ROOT = '/home/me/shop'

function call(id: string, name: string, args: unknown, fields: Record<string, unknown> = {}) {
  const response = { functionResponse: { id, name, response: { output: 'ok' } } }
  return { id, name, args, status: 'success', timestamp: at(3), result: [response], ...fields }
}

/** A whole-content diff, as stored by 0.25 and later. */
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

function files(rows: Rows): TouchedFile[] {
  const [session] = stitchGroup([logFile({ start: 1 }, rows)])
  const list = new TouchedFileList(ROOT)
  for (const message of session?.messages ?? []) list.add(message)
  return list.files()
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
      { name: 'src/a.ts', reads: 2, edits: 1, lastTime: at(4) },
      { name: '.', path: ROOT },
      { name: 'docs/x.md' },
      { name: 'src' },
    ])
  })

  it('count what failed and what was declined apart from what was done', () => {
    const toolCalls = [
      edit('1', 'one\n', 'two\n', { status: 'cancelled' }),
      call('2', 'replace', { file_path: 'src/a.ts' }, { status: 'error', resultDisplay: 'no match' }),
      call('3', 'read_file', { file_path: 'src/b.ts' }, { status: 'error' }),
    ]
    expect(files([prompt('p', 1), answer('m', 2, { toolCalls })])).toMatchObject([
      { name: 'src/a.ts', edits: 0, failed: 2 },
      { name: 'src/b.ts', reads: 0, failed: 1 },
    ])
  })

  it('are added up over several sessions, with the last time', () => {
    const reader = files([
      prompt('p', 1),
      answer('m', 2, { toolCalls: [call('r', 'read_file', { path: 'src/a.ts' }, { timestamp: at(9) })] }),
    ])
    const writer = files([prompt('p', 1), answer('m', 2, { toolCalls: [edit('1', 'one\n', 'two\n')] })])
    expect(mergeTouchedFiles([...reader, ...writer])).toMatchObject([
      { name: 'src/a.ts', reads: 1, edits: 1, lastTime: at(9) },
    ])
  })
})
