import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ToolCall } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { makeToolCall } from '../../../../../../fixtures/message.ts'
import { mcpName, toolArgument, toolKind, toolTitle } from './tool-argument.ts'
import { toolOutcome } from './tool-outcome.ts'

const call = (fields: Partial<ToolCall>) => makeToolCall({ name: 'read_file', ...fields })

describe('the kind of a tool', () => {
  test.each([
    ['run_shell_command', 'shell'],
    ['replace', 'edit'],
    ['search_file_content', 'search'],
    ['mcp_postgres_describe_table', 'mcp'],
    ['postgres__describe_table', 'mcp'],
    ['no_such_tool', 'unknown'],
    ['__proto__', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', (name, kind) => {
    expect(toolKind(call({ name }))).toBe(kind)
  })

  test('follows what came back where the name is foreign', () => {
    expect(toolKind(call({ name: 'plan_it', display: { kind: 'todos', todos: [] } }))).toBe('todos')
    expect(toolKind(call({ name: 'reviewer', agentKey: 'abc' }))).toBe('subagent')
  })

  test('an MCP tool is named with its server', () => {
    expect(mcpName(call({ name: 'mcp_postgres_describe_table' }))).toEqual({
      server: 'postgres',
      tool: 'describe_table',
    })
    expect(toolTitle(call({ name: 'postgres__query' }))).toBe('postgres / query')
  })
})

describe('the argument line', () => {
  test('of a shell is the command, whatever its own words', () => {
    const args = { command: 'npm test\n-- cart' }
    expect(toolArgument(call({ args, description: 'Runs tests [cwd /x]' }), null)).toBe('npm test -- cart')
  })

  test('prefers the words of the call, then its telling arguments, then all of them', () => {
    expect(toolArgument(call({ args: { file_path: '/a/b.js' }, description: 'b.js' }), null)).toBe('b.js')
    expect(toolArgument(call({ args: { limit: 1, file_path: '/a/b.js' } }), null)).toBe(
      '/a/b.js, lines 1 to 1',
    )
    expect(toolArgument(call({ args: { table: 'orders' } }), null)).toBe('table: "orders"')
    expect(toolArgument(call({ args: null }), null)).toBe('')
  })

  test('writes paths from the folder of the project, and others in full', () => {
    const line = (args: object, root: string, name = 'read_file') => toolArgument(call({ name, args }), root)
    expect(line({ file_path: '/home/mia/shop/src/a.ts' }, '/home/mia/shop')).toBe('src/a.ts')
    expect(line({ file_path: 'C:\\shop\\src\\a.ts' }, 'C:\\shop\\')).toBe('src\\a.ts')
    expect(line({ file_path: '/home/mia/shopping/a.ts' }, '/home/mia/shop')).toBe('/home/mia/shopping/a.ts')
    expect(line({ pattern: 'x', dir_path: '/shop/src' }, '/shop', 'search_file_content')).toBe('“x” in src')
    expect(line({ pattern: 'x', dir_path: '/shop' }, '/shop', 'search_file_content')).toBe('“x”')
  })

  test.each([
    ['ask_user', { questions: [{ question: 'Which engine?', header: 'Engine' }] }, 'Which engine?'],
    ['update_topic', { title: 'Planning the search', strategic_intent: 'Read first' }, 'Planning the search'],
    ['enter_plan_mode', { reason: 'A large change' }, 'A large change'],
    ['exit_plan_mode', { plan_filename: 'plan.md' }, 'plan.md'],
    ['delegate_to_agent', { agent_name: 'codebase_investigator', objective: 'Find it' }, 'Find it'],
  ])('of %s is what it says, not JSON', (name, args, line) => {
    expect(toolArgument(call({ name, args }), null)).toBe(line)
  })

  test('of a todo list counts what is done', () => {
    const todos = ['completed', 'pending'].map((status) => ({ description: 'x', status }))
    expect(toolArgument(call({ name: 'write_todos', display: { kind: 'todos', todos } }), null)).toBe(
      '1 of 2 done',
    )
  })
})

describe('the argument line of each kind', () => {
  test.each<[string, Partial<ToolCall>, string]>([
    [
      'a read with its lines',
      { name: 'read_file', args: { file_path: '/a/b.ts', start_line: 10, end_line: 40 } },
      '/a/b.ts, lines 10 to 40',
    ],
    [
      'a read from an offset',
      { name: 'read_file', args: { file_path: 'b.ts', offset: 1200 } },
      'b.ts, from line 1,201',
    ],
    [
      'an edit, by its path alone',
      { name: 'replace', args: { file_path: '/app/src/a.js' }, description: 'src/a.js: let a => let b' },
      'src/a.js',
    ],
    [
      'a write',
      { name: 'write_file', args: { file_path: '/app/a.js' }, description: 'Writing to a.js' },
      'a.js',
    ],
    [
      'a search with its place and filter',
      { name: 'grep_search', args: { pattern: 'total\\(', dir_path: 'src', include_pattern: '*.ts' } },
      '“total\\(” in src (*.ts)',
    ],
    ['several files', { name: 'read_many_files', args: { include: ['src/*.ts', 'a.md'] } }, 'src/*.ts, a.md'],
    [
      'a page of the web',
      { name: 'web_fetch', args: { prompt: 'Summarise https://www.a.dev/x.' } },
      'a.dev/x',
    ],
    ['a process', { name: 'read_background_output', args: { pid: 7 } }, 'process 7'],
    [
      'an MCP tool',
      { name: 'x', displayName: 'query (my_db MCP Server)', args: { sql: 'select 1', limit: 5 } },
      'sql: "select 1", limit: 5',
    ],
  ])('%s', (_name, fields, line) => {
    expect(toolArgument(call(fields), null)).toBe(line)
  })

  test('an MCP server’s name may hold underscores where the display name tells it', () => {
    const fields = { name: 'mcp_my_db_query', displayName: 'query (my_db MCP Server)' }
    expect(mcpName(call(fields))).toEqual({ server: 'my_db', tool: 'query' })
  })

  test.each<[title: string, fields: Partial<ToolCall>]>([
    [
      'Invoke Subagent: Codebase investigator',
      { name: 'invoke_agent', args: { agent_name: 'codebase_investigator' } },
    ],
    ['Invoke Subagent', { name: 'invoke_agent' }],
    ['Shell', { name: 'run_shell_command' }],
    ['postgres / query', { name: 'mcp_postgres_query', displayName: 'query (postgres MCP Server)' }],
    ['query (my_db)', { name: 'query', displayName: 'query (my_db MCP Server)' }],
    ['no_such_tool', { name: 'no_such_tool' }],
  ])('C13: the title begins with the one name of its tool: %s', (title, fields) => {
    const named = call({ displayName: 'Something else', ...fields })
    expect(toolTitle(named)).toBe(title)
    expect(toolTitle(named).startsWith(toolLabel(named.name))).toBe(true)
  })
})

describe('the outcome of a call', () => {
  const told = (text: string): Partial<ToolCall> => ({ output: { kind: 'text', text } })
  const failed = (text: string): Partial<ToolCall> => ({
    status: 'error',
    failed: true,
    output: { kind: 'error', text },
  })

  test.each<[string, Partial<ToolCall>, string, string]>([
    [
      'a command in the background',
      { name: 'run_shell_command', ...told('Command moved to background (PID: 7). Output hidden.') },
      'background',
      'In background',
    ],
    [
      'a command that was started in the background',
      {
        name: 'run_shell_command',
        ...told('Command is running in background. PID: 7. Initial output:\n'),
      },
      'background',
      'In background',
    ],
    [
      'a command that took too long',
      {
        name: 'run_shell_command',
        ...told(
          'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
        ),
      },
      'stopped',
      'Timed out',
    ],
    [
      'a command that was killed',
      { name: 'run_shell_command', ...told('Output: (empty)\nSignal: SIGKILL\nProcess Group PGID: 1') },
      'stopped',
      'Ended by SIGKILL',
    ],
    [
      'an edit without a match',
      { name: 'replace', ...failed('Failed to edit, 0 occurrences found for old_string (x).') },
      'failed',
      'No match',
    ],
    [
      'a tool that is none',
      { name: 'x', ...failed('Tool "x" not found in registry.') },
      'failed',
      'No such tool',
    ],
    [
      'what the policy denied',
      { name: 'write_todos', ...failed('Tool execution denied by policy.') },
      'failed',
      'Denied by policy',
    ],
    [
      'what the person denied',
      {
        status: 'cancelled',
        output: { kind: 'error', text: '[Operation Cancelled] Reason: User denied execution.' },
      },
      'cancelled',
      'Declined',
    ],
    [
      'an answered question',
      { name: 'ask_user', args: { questions: [{ question: 'Which?' }] }, ...told('{"answers":{"0":"a"}}') },
      'success',
      'Answered',
    ],
    [
      'a closed question',
      {
        name: 'ask_user',
        args: { questions: [{ question: 'Which?' }] },
        ...told('User dismissed ask_user dialog without answering.'),
      },
      'cancelled',
      'Not answered',
    ],
    [
      'a plan that was sent back',
      { name: 'exit_plan_mode', ...told('Plan rejected. User feedback: no') },
      'cancelled',
      'Rejected',
    ],
    [
      'a sub-agent at its limit',
      { name: 'invoke_agent', ...told("Subagent 'x' finished.\nTermination Reason: MAX_TURNS\nResult:\n") },
      'stopped',
      'Turn limit',
    ],
    [
      'a search of an old version',
      {
        name: 'search_file_content',
        ...told(
          'Found 2 matches for pattern "a" in path ".":\n---\nFile: a.ts\nL1: a\n---\nFile: b.ts\nL1: a\n---',
        ),
      },
      'success',
      '2 matches in 2 files',
    ],
    [
      'a folder of an old version',
      { name: 'list_directory', ...told('Directory listing for /a:\n[DIR] b\nc.ts') },
      'success',
      '2 items',
    ],
    [
      'a read, without the words before it',
      { name: 'read_file', ...told('[File content truncated: showing lines 1-2 of 9 total lines.]\na\nb\n') },
      'success',
      '2 lines',
    ],
    [
      'tests that passed',
      {
        name: 'run_shell_command',
        ...told(
          'Command: npm test\nOutput: Test Files  3 passed (3)\n     Tests  1204 passed (1204)\nExit Code: 0',
        ),
        exitCode: 0,
      },
      'success',
      '1,204 passed',
    ],
    [
      'a search of the web',
      { name: 'google_web_search', ...told('x\n\nSources:\n[1] a (https://a.dev)') },
      'success',
      '1 source',
    ],
  ])('%s', (_name, fields, state, word) => {
    expect(toolOutcome(call(fields))).toEqual({ state, word })
  })

  test.each<[string, Partial<ToolCall>, string, string]>([
    ['a file that was read', { output: { kind: 'text', text: 'a\nb\n' } }, 'success', '2 lines'],
    [
      'a picture that was read, with a text that tells of it',
      {
        output: { kind: 'text', text: 'Binary content provided (1 item(s)).' },
        extraParts: [
          { kind: 'image', mimeType: 'image/png', data: null, uri: null, href: '/api/x', sizeBytes: 70 },
        ],
      },
      'success',
      'PNG, 70 B',
    ],
    ['a shell that ended well', { name: 'run_shell_command', exitCode: 0 }, 'success', 'exit 0'],
    [
      'a shell that failed, though its status says success',
      { exitCode: 2, failed: true },
      'failed',
      'Failed, exit 2',
    ],
    ['an error', { status: 'error', failed: true }, 'failed', 'Failed'],
    ['a refusal', { status: 'cancelled' }, 'cancelled', 'Cancelled'],
    ['nothing recorded', { status: 'unanswered' }, 'unanswered', 'No result'],
    ['an approval that never came', { status: 'awaiting_approval' }, 'waiting', 'Waiting for approval'],
    ['a status of no known version', { status: 'frozen' }, 'unanswered', 'frozen'],
  ])('%s', (_name, fields, state, word) => {
    expect(toolOutcome(call(fields))).toEqual({ state, word })
  })

  test('a search whose result came cut says how many matches it told of', () => {
    const text = 'Found 912 matches for pattern "a" in path ".":\n---\nFile: a.ts\nL1: a'
    const output = { kind: 'text', text, cut: { sizeBytes: 90_000, href: '' } } as const
    expect(toolOutcome(call({ name: 'search_file_content', output })).word).toBe('912 matches')
  })

  test('a search counts its matches without their context', () => {
    const match = { filePath: 'a', lineNumber: 1, line: 'x' }
    const matches = [
      { ...match, isContext: false },
      { ...match, isContext: true },
    ]
    expect(toolOutcome(call({ display: { kind: 'search', summary: '', matches } })).word).toBe('1 match')
  })

  test('the last call of a live session runs', () => {
    expect(toolOutcome(call({ status: 'unanswered' }), true)).toEqual({ state: 'running', word: 'Running' })
  })
})
