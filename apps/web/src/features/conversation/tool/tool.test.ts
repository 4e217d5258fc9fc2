import type { ToolCall } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { toolArgument } from './tool-argument.ts'
import { mcpName, toolKind } from './tool-kind.ts'
import { toolOutcome } from './tool-outcome.ts'
import { toolTitle } from './tool-title.ts'

function call(fields: Partial<ToolCall>): ToolCall {
  return {
    id: 'c1',
    name: 'read_file',
    displayName: null,
    description: null,
    args: {},
    status: 'success',
    timestamp: null,
    exitCode: null,
    failed: false,
    output: { kind: 'empty' },
    display: null,
    extraParts: [],
    agentId: null,
    agentKey: null,
    ...fields,
  }
}

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
    expect(toolArgument(call({ args, description: 'Runs tests [cwd /x]' }))).toBe('npm test -- cart')
  })

  test('prefers the words of the call, then its telling arguments, then all of them', () => {
    expect(toolArgument(call({ args: { file_path: '/a/b.js' }, description: 'b.js' }))).toBe('b.js')
    expect(toolArgument(call({ args: { limit: 1, file_path: '/a/b.js' } }))).toBe('/a/b.js, lines 1 to 1')
    expect(toolArgument(call({ args: { table: 'orders' } }))).toBe('table: "orders"')
    expect(toolArgument(call({ args: null }))).toBe('')
  })

  test.each([
    ['ask_user', { questions: [{ question: 'Which engine?', header: 'Engine' }] }, 'Which engine?'],
    ['update_topic', { title: 'Planning the search', strategic_intent: 'Read first' }, 'Planning the search'],
    ['enter_plan_mode', { reason: 'A large change' }, 'A large change'],
    ['exit_plan_mode', { plan_filename: 'plan.md' }, 'plan.md'],
    ['delegate_to_agent', { agent_name: 'codebase_investigator', objective: 'Find it' }, 'Find it'],
  ])('of %s is what it says, not JSON', (name, args, line) => {
    expect(toolArgument(call({ name, args }))).toBe(line)
  })

  test('of a todo list counts what is done', () => {
    const todos = ['completed', 'pending'].map((status) => ({ description: 'x', status }))
    expect(toolArgument(call({ name: 'write_todos', display: { kind: 'todos', todos } }))).toBe('1 of 2 done')
  })
})

describe('the outcome of a call', () => {
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
