import { askedQuestions } from '@gemini-dash/api/asked-questions'
import type { ToolCall } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { makeToolCall } from '../../../../../../fixtures/message.ts'
import {
  agentReport,
  askedAddresses,
  jsonInText,
  listResult,
  manyFiles,
  planAnswer,
  searchResult,
  skillResult,
  unwrapUntrusted,
  webResult,
} from './results.ts'
import { readResult, shellResult } from './tool-outcome.ts'

const call = makeToolCall

function answered(text: string, fields: Partial<ToolCall> = {}): ToolCall {
  return call({ output: { kind: 'text', text }, ...fields })
}

describe('a shell command', () => {
  test('of 0.11 tells everything in labelled lines', () => {
    const text =
      'Command: node a.js\nDirectory: (root)\nOutput: 0.3\nExit Code: 9 in the output\nError: (none)\nExit Code: (none)\nSignal: SIGKILL\nBackground PIDs: 18420, 18421\nProcess Group PGID: (none)'
    expect(shellResult(answered(text, { args: { dir_path: 'packages/cart' } }))).toEqual({
      printed: '0.3\nExit Code: 9 in the output',
      directory: 'packages/cart',
      error: '',
      signal: 'SIGKILL',
      backgroundPids: '18420, 18421',
      ending: null,
    })
  })

  test('of 0.61 stands in a frame and tells only what is not as expected', () => {
    const text =
      '<untrusted_context>\nOutput: ok\nExit Code: 2\nProcess Group PGID: 30261\n</untrusted_context>'
    expect(shellResult(answered(text))).toMatchObject({ printed: 'ok', signal: '', ending: null })
  })

  test.each([
    ['Output: (empty)\nProcess Group PGID: 1', { printed: '', ending: null }],
    [
      'Command moved to background (PID: 40412). Output hidden. Press Ctrl+B to view.',
      { backgroundPids: '40412', ending: 'background' },
    ],
    [
      'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output. There was no output before it was cancelled.',
      { printed: '', ending: 'timeout' },
    ],
    [
      'Command was cancelled by user before it could complete. Below is the output before it was cancelled:\nhalf',
      { printed: 'half', ending: 'cancelled' },
    ],
  ])('%s', (text, result) => {
    expect(shellResult(answered(text))).toMatchObject(result)
  })
})

describe('a file that was read', () => {
  test('loses what the CLI says before it, and keeps the numbers of its lines', () => {
    const text =
      "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 2001-4000 of 5000 total lines.\nAction: To read more of the file, you can use the 'start_line' and 'end_line' parameters in a subsequent 'read_file' call.\n\n--- FILE CONTENT (truncated) ---\nlet a\n--- FILE CONTENT (truncated) ---\n"
    expect(readResult(answered(text), text)).toEqual({
      text: 'let a\n--- FILE CONTENT (truncated) ---\n',
      firstLine: 2001,
      shown: { first: 2001, last: 4000, total: 5000 },
    })
  })

  test('of the first versions has its note in brackets', () => {
    const text =
      '[File content truncated: showing lines 1-2000 of 5000 total lines. Use offset/limit parameters to view more.]\na'
    expect(readResult(answered(text), text)).toMatchObject({ text: 'a', shown: { last: 2000, total: 5000 } })
  })

  test('in part is told by what the CLI drew', () => {
    const display = { kind: 'text', text: 'Read lines 10-40 of 420 from src/a.ts' } as const
    expect(readResult(answered('x', { display }), 'x')).toMatchObject({
      firstLine: 10,
      shown: { total: 420 },
    })
  })

  test.each([
    [{ start_line: 10 }, 10],
    [{ offset: 10 }, 11],
    [{}, 1],
  ])('asked for with %j begins at line %i', (args, firstLine) => {
    expect(readResult(answered('x', { args }), 'x')).toMatchObject({ text: 'x', firstLine, shown: null })
  })
})

describe('a search', () => {
  test('before 0.36 is read from the text of the model', () => {
    const text =
      'Found 2 matches for pattern "a: b" in path "." (filter: "*.ts"):\n---\nFile: src/cart.ts\nL7- // the sum\nL8: get total() {\n---\nFile: src/price.ts\nL1: \n---'
    expect(searchResult(text)?.matches).toEqual([
      { filePath: 'src/cart.ts', lineNumber: 7, line: '// the sum', isContext: true },
      { filePath: 'src/cart.ts', lineNumber: 8, line: 'get total() {', isContext: false },
      { filePath: 'src/price.ts', lineNumber: 1, line: '', isContext: false },
    ])
  })

  test('for names has files without lines', () => {
    const text = 'Found 2 files with matches for pattern "a" in path ".":\na.ts\nb.ts'
    expect(searchResult(text)?.matches.map(({ filePath, lineNumber }) => [filePath, lineNumber])).toEqual([
      ['a.ts', null],
      ['b.ts', null],
    ])
  })

  test('says where it ended at its limit', () => {
    const text =
      'Found 100 matches for pattern "a" in path "." (results limited to 100 matches for performance):\n---\nFile: a.ts\nL1: a\n---'
    expect(searchResult(text)?.summary).toBe('results limited to 100 matches for performance')
  })

  test('that found nothing, and text that is no search', () => {
    expect(searchResult('No matches found for pattern "x" in path ".".')?.matches).toEqual([])
    expect(searchResult('Error during grep search operation: x')).toBeNull()
  })
})

describe('a list of files', () => {
  test('of a folder has its folders marked, sizes and context taken off', () => {
    const text =
      'Directory listing for /app/src:\n[DIR] money\ncart.ts (1684 bytes)\n\n(3 ignored)\n\n--- Context ---'
    expect(listResult(text)).toEqual({ root: '/app/src', paths: ['money/', 'cart.ts'], note: '3 ignored' })
  })

  test('that a pattern found', () => {
    const text =
      'Found 2 file(s) matching "**/*.ts" within /app (4 additional files were ignored), sorted by modification time (newest first):\n/app/a.ts\n/app/b.ts'
    expect(listResult(text)).toEqual({
      root: '/app',
      paths: ['/app/a.ts', '/app/b.ts'],
      note: '4 additional files were ignored',
    })
  })

  test('may be empty', () => {
    expect(listResult('No files found matching pattern "x" within /app')?.paths).toEqual([])
    expect(listResult('Directory /app is empty.')?.paths).toEqual([])
    expect(listResult('Error')).toBeNull()
  })
})

describe('the web', () => {
  test('has its sources below its text', () => {
    const text =
      'Web search results for "a: "b"":\n\nHalves go **up**[1].\n\nSources:\n[1] mozilla.org (https://mdn.dev/Math_(js))\n[2] Untitled (No URI)'
    expect(webResult(text)).toEqual({
      text: 'Halves go **up**[1].',
      sources: [
        { number: 1, title: 'mozilla.org', url: 'https://mdn.dev/Math_(js)' },
        { number: 2, title: 'Untitled', url: null },
      ],
    })
  })

  test('keeps what only looks like sources', () => {
    expect(webResult('x\nSources:\nmany')).toEqual({ text: 'x\nSources:\nmany', sources: [] })
  })

  test('was asked for addresses inside a sentence', () => {
    expect(askedAddresses('Compare https://a.dev/x, https://b.dev/y) and https://a.dev/x.')).toEqual([
      'https://a.dev/x',
      'https://b.dev/y',
    ])
  })

  test('stands in a frame since 0.61, which may be cut off', () => {
    expect(unwrapUntrusted('<untrusted_context>\na\n</untrusted_context>')).toBe('a')
    expect(unwrapUntrusted('<untrusted_context>\na')).toBe('a')
    expect(unwrapUntrusted('a <untrusted_context>')).toBe('a <untrusted_context>')
  })
})

describe('a question to the person', () => {
  const questions = [
    { header: 'Engine', question: 'Which?', options: [{ label: 'SQLite' }, { label: 'Other' }] },
    { header: 'Name', question: 'What name?', type: 'text' },
  ]

  test('stands with its choices and the answers by number', () => {
    const asked = askedQuestions(answered('{"answers":{"0":"SQLite","1":"books"}}', { args: { questions } }))
    expect(asked[0]?.options.map(({ label, isChosen }) => [label, isChosen])).toEqual([
      ['SQLite', true],
      ['Other', false],
    ])
    expect(asked[1]).toEqual({ header: 'Name', question: 'What name?', options: [], answer: 'books' })
  })

  test('that was closed has no answer', () => {
    const asked = askedQuestions(
      answered('User dismissed ask_user dialog without answering.', { args: { questions } }),
    )
    expect(asked.map(({ answer }) => answer)).toEqual([null, null])
  })

  test('of an unknown form is no question', () => {
    expect(askedQuestions(answered('x', { args: { questions: 'which' } }))).toEqual([])
  })
})

test.each([
  [
    'Plan approved. Switching to Default mode.\n\nThe approved plan is stored at: /p/a.md',
    { state: 'approved', words: 'Default mode', path: '/p/a.md' },
  ],
  [
    'Plan rejected. User feedback: Keep it.\nReally.\n\nThe plan is stored at: /p/a.md\nRevise the plan.',
    { state: 'rejected', words: 'Keep it.\nReally.', path: '/p/a.md' },
  ],
  [
    'Plan rejected. No feedback provided.\n\nThe plan is stored at: /p/a.md',
    { state: 'rejected', words: '', path: '/p/a.md' },
  ],
  [
    'User cancelled the plan approval dialog. The plan was not approved.',
    { state: 'cancelled', words: '', path: '' },
  ],
  ['Switching to Plan mode.', null],
])('what became of a plan: %s', (text, answer) => {
  expect(planAnswer(text)).toEqual(answer)
})

test.each([
  ["Subagent 'x' finished.\nTermination Reason: GOAL\nResult:\nDone.", { reason: 'GOAL', result: 'Done.' }],
  [
    '\nSubagent x Finished\n\nTermination Reason:\n MAX_TURNS\n\nResult:\n{}\n',
    { reason: 'MAX_TURNS', result: '{}' },
  ],
  ['Subagents are fine.', null],
])('the report of a sub-agent: %j', (text, report) => {
  expect(agentReport(text)).toEqual(report)
})

test('files read together are told apart, in parts or in one text', () => {
  const parts = [
    { kind: 'text', text: '--- /app/a.ts ---\n\nlet a\n\n\n' },
    { kind: 'text', text: '--- /app/b.ts ---\n\nlet b\n' },
  ] as const
  const files = [
    { path: '/app/a.ts', text: 'let a\n' },
    { path: '/app/b.ts', text: 'let b\n' },
  ]
  expect(manyFiles('Tool execution succeeded.', parts)).toEqual(files)
  expect(manyFiles(parts.map(({ text }) => text).join(''), [])).toEqual(files)
  expect(manyFiles('No files were found.', [])).toEqual([])
})

test('a skill is its instructions and its files, without the frame', () => {
  const text =
    '<activated_skill name="x">\n  <instructions>\n    # Notes\n\nOne line.\n  </instructions>\n\n  <available_resources>\n    a.md\n  </available_resources>\n</activated_skill>'
  expect(skillResult(text)).toEqual({ instructions: '# Notes\n\nOne line.', resources: 'a.md' })
  expect(skillResult('Skill not found')).toBeNull()
})

test.each([
  ['{"a":1}', { a: 1 }],
  ['```json\n[1]\n```', [1]],
  ['{"a":', undefined],
  ['12', undefined],
  ['plain', undefined],
])('JSON in a text: %s', (text, value) => {
  expect(jsonInText(text)).toEqual(value)
})
