import { describe, expect, it } from 'vitest'
import { Problems } from '../problems.ts'
import { toToolCall } from './calls.ts'
import { restOfLog } from './responses.ts'

describe('the output of a call', () => {
  it.each([
    [{ output: 'text' }, { kind: 'text', text: 'text' }],
    [{ output: '' }, { kind: 'empty' }],
    [{ error: 'no' }, { kind: 'error', text: 'no' }],
    [
      { output: 'half', error: 'cancelled' },
      { kind: 'error', text: 'cancelled\nhalf' },
    ],
    [{}, { kind: 'empty' }],
    ['plain', { kind: 'text', text: 'plain' }],
    [null, { kind: 'empty' }],
    [{ output: { rows: 1 } }, { kind: 'unknown', json: { output: { rows: 1 } } }],
    [[1], { kind: 'unknown', json: [1] }],
  ])('%j', (response, output) => {
    expect(toCall({ result: [{ functionResponse: { id: 'c', response } }] }).output).toEqual(output)
  })

  it('is the own part where the turn shares its results (0.44+), with what came back beside it', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const result = [
      { functionResponse: { id: 'b', response: { output: 'other' } } },
      { text: "the other's" },
      { functionResponse: { id: 'c', response: { output: 'mine' } } },
      picture,
    ]
    const call = toCall({ result })
    expect(call.output).toEqual({ kind: 'text', text: 'mine' })
    expect(call.extraParts).toEqual([
      { kind: 'image', mimeType: 'image/png', data: 'AAAA', uri: null, sizeBytes: 3, href: null },
    ])
  })

  it.each([
    ['a string', 'plain', { kind: 'text', text: 'plain' }],
    ['one part', { functionResponse: { response: { output: 'x' } } }, { kind: 'text', text: 'x' }],
    ['nothing', null, { kind: 'empty' }],
  ])('is read from %s', (_, result, output) => {
    expect(toCall({ result }).output).toEqual(output)
  })
})

describe('status', () => {
  it.each([
    [{ status: 'success' }, 'success', false],
    [{ status: 'error' }, 'error', true],
    [{ status: 'cancelled' }, 'cancelled', false],
    [{ status: 'pending' }, 'pending', false],
    [{}, 'unanswered', false],
    [{ result: [{ functionResponse: { response: { output: '' } } }] }, 'success', false],
    [{ result: [{ functionResponse: { response: { error: 'no' } } }] }, 'error', true],
    [
      { result: [{ functionResponse: { response: { error: '[Operation Cancelled] Reason: …' } } }] },
      'cancelled',
      false,
    ],
  ])('%j', (fields, status, failed) => {
    expect(toCall(fields)).toMatchObject({ status, failed })
  })

  it('notes a status that no version writes', () => {
    const problems = new Problems()
    toCall({ status: 'queued' }, problems)
    expect(problems.drift).toEqual([{ where: 'toolCall.status', name: 'queued', at: 'line 2', count: 1 }])
  })
})

describe('the exit code of a shell command', () => {
  it.each([
    ['Output: x\nError: (none)\nExit Code: 2\nSignal: (none)', 2, true],
    ['Output: x\nExit Code: 0', 0, false],
    ['Output: x\nExit Code: -1', -1, true],
    ['Output: x\nExit Code: (none)', null, false],
    ['Output: saw\nExit Code: 9\nin a log\nExit Code: 0\nSignal: (none)', 0, false],
    ['Output: echo "Exit Code: 7"', null, false],
    [`Output: saw\nExit Code: 9\nin a log\n${'and went on\n'.repeat(300)}`, null, false],
    ['Output: x', null, false],
  ])('%j', (output, exitCode, failed) => {
    const result = [{ functionResponse: { id: 'c', response: { output } } }]
    expect(toCall({ name: 'run_shell_command', status: 'success', result })).toMatchObject({
      exitCode,
      failed,
    })
    expect(toCall({ name: 'read_file', status: 'success', result })).toMatchObject({
      exitCode: null,
      failed: false,
    })
  })
})

describe('description', () => {
  const LONG = 'All that this tool can do for you. '.repeat(12)

  it.each([
    ['its own line', 'src/price.js', {}, 'src/price.js'],
    [
      'the manual of a known tool',
      'Lists the names of files and subdirectories directly within a path.',
      {},
      null,
    ],
    ['a long text', LONG, { path: '/a' }, null],
    ['a text of several lines', 'First.\nSecond.', { path: '/a' }, null],
    [
      'a long command of several lines',
      `set -e\n${'make test\n'.repeat(60)}`,
      { command: `set -e\n${'make test\n'.repeat(60)}` },
      `set -e\n${'make test\n'.repeat(60)}`,
    ],
    ['blanks', ' ', {}, null],
  ])('%s', (_, description, args, shown) => {
    expect(toCall({ description, args }).description).toBe(shown)
  })
})

describe('display', () => {
  it.each([
    ['nothing', undefined, null],
    ['an empty text', '', null],
    ['a terminal without a line', [], null],
    ['text', 'Found 2', { kind: 'text', text: 'Found 2' }],
    ['a summary', { summary: 'Done' }, { kind: 'text', text: 'Done' }],
    [
      'files',
      { summary: 'Listed 1', files: ['a.js', 5], skipped: [{ path: 'b.png', reason: 'binary' }] },
      { kind: 'list', summary: 'Listed 1', files: ['a.js'], skipped: ['b.png (binary)'] },
    ],
    [
      'matches',
      { summary: 'Found 1', matches: [{ filePath: 'a.js', lineNumber: 3, line: 'let a' }, null] },
      {
        kind: 'search',
        summary: 'Found 1',
        matches: [{ filePath: 'a.js', lineNumber: 3, line: 'let a', isContext: false }],
      },
    ],
    [
      'todos',
      { todos: [{ description: 'Test', status: 'blocked' }] },
      { kind: 'todos', todos: [{ description: 'Test', status: 'blocked' }] },
    ],
    [
      'a diff without counts',
      {
        fileDiff: 'Index: a\n--- a\n+++ a\n@@ -1 +1,2 @@\n-x\n+y\n+--- z\n',
        fileName: 'a',
        originalContent: null,
        newContent: 'y',
      },
      {
        kind: 'diff',
        fileName: 'a',
        filePath: null,
        fileDiff: 'Index: a\n--- a\n+++ a\n@@ -1 +1,2 @@\n-x\n+y\n+--- z\n',
        originalContent: null,
        newContent: 'y',
        linesAdded: 2,
        linesRemoved: 1,
        isNewFile: false,
        isRebuilt: false,
      },
    ],
    [
      'a sub-agent',
      {
        isSubagentProgress: true,
        agentName: 'x',
        recentActivity: [{ id: '1', type: 'tool_call', content: 'ls', args: '{"a":1}', status: 'running' }],
      },
      {
        kind: 'subagent',
        agentName: 'x',
        state: null,
        activity: [
          {
            id: '1',
            type: 'tool_call',
            content: 'ls',
            displayName: null,
            description: null,
            args: { a: 1 },
            status: 'running',
          },
        ],
        result: null,
        terminateReason: null,
      },
    ],
    ['something else', { odd: 1 }, { kind: 'unknown', json: { odd: 1 } }],
    ['rows of something else', [['odd']], { kind: 'unknown', json: [['odd']] }],
  ])('%s', (_, resultDisplay, display) => {
    expect(toCall({ status: 'success', resultDisplay }).display).toEqual(display)
  })

  it('says so where the shape is unknown', () => {
    const problems = new Problems()
    toCall({ status: 'success', resultDisplay: { odd: 1, more: 2 } }, problems)
    expect(problems.drift).toEqual([{ where: 'resultDisplay', name: 'odd,more', at: 'line 2 c', count: 1 }])
  })

  it.each([
    [
      'replace',
      { file_path: '/a/b.js', old_string: 'x\ny\nz', new_string: 'x\nY\nz' },
      '',
      { originalContent: 'x\ny\nz', linesAdded: 1, linesRemoved: 1, isNewFile: false },
    ],
    [
      'write_file',
      { file_path: 'b.js', content: 'a\nb\n' },
      'Successfully created and wrote to new file: b.js',
      { originalContent: '', linesAdded: 2, linesRemoved: 0, isNewFile: true },
    ],
    [
      'write_file',
      { file_path: 'C:\\a\\b.js', content: 'a' },
      'Successfully overwrote file',
      { originalContent: null, linesAdded: 1, linesRemoved: 0, isNewFile: false },
    ],
  ])('rebuilds the diff of %s that old versions did not store', (name, args, output, expected) => {
    const result = [{ functionResponse: { id: 'c', response: { output } } }]
    expect(toCall({ name, args, status: 'success', result }).display).toMatchObject({
      kind: 'diff',
      fileName: 'b.js',
      fileDiff: '',
      isRebuilt: true,
      ...expected,
    })
    expect(toCall({ name, args, status: 'error', result }).display).toBeNull()
  })
})

function toCall(fields: object, problems = new Problems()) {
  const context = {
    path: 'a',
    isSubagentFile: false,
    rest: restOfLog([]),
    problems,
  }
  return toToolCall({ id: 'c', name: 'glob', args: {}, ...fields }, undefined, 'line 2', context)
}
