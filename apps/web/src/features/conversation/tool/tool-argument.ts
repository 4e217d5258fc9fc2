import { mcpParts, toolLabel } from '@gemini-dash/api/tool-label'
import type { ToolCall } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { formatCount } from '../../../lib/figures.ts'
import { askedAddresses, isRecord } from './results.ts'

/** Arguments that describe a tool call, most specific first. */
const TELLING = [
  'file_path',
  'absolute_path',
  'path',
  'dir_path',
  'pattern',
  'query',
  'url',
  'prompt',
  'objective',
  'task',
  'question',
  'fact',
  'name',
  'title',
  'reason',
  'plan',
  'plan_filename',
  'plan_path',
]

/** The same for Antigravity CLI. */
const OF_ANTIGRAVITY = ['AbsolutePath', 'TargetFile', 'DirectoryPath']

const MAX_LENGTH = 300

/** One line for the head of a card: the subject of the tool call from its arguments; paths relative to the project. */
export function toolArgument(call: ToolCall, root: string | null): string {
  return oneLine(lineOfKind(toolKind(call), call, root) ?? plainLine(call))
}

/** An argument as text; '' if it is missing or not text. */
export function textArgument(call: ToolCall, ...names: string[]): string {
  const args = recordOf(call.args)
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** An argument as a number; null if it is missing or not a number. */
export function numberArgument(call: ToolCall, name: string): number | null {
  const value = recordOf(call.args)[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** null if the kind has no special wording. */
function lineOfKind(kind: ToolKind, call: ToolCall, root: string | null): string | null {
  switch (kind) {
    case 'shell':
      // a shell's own line mixes the command with its directory and description
      return textArgument(call, 'command', 'CommandLine') || processLine(call)
    case 'edit':
    case 'write':
    case 'folder':
      return shownPath(call, root)
    case 'read':
      return joinWords([shownPath(call, root), rangeLine(call)], ', ')
    case 'read-many':
      return listArgument(call, 'include', 'paths').join(', ') || null
    case 'find':
    case 'search':
      return patternLine(kind, call, root)
    case 'web':
      return textArgument(call, 'query', 'url') || addressLine(textArgument(call, 'prompt'))
    case 'todos':
      return todoLine(call)
    case 'ask':
      return questionLine(recordOf(call.args).questions) || null
    case 'subagent':
      return unmarked(textArgument(call, 'objective', 'prompt', 'task', 'query', 'question')) || null
    case 'report':
      return unmarked(textArgument(call, 'result')) || null
    case 'docs':
      return textArgument(call, 'path') || 'all pages'
    case 'memory':
      return unmarked(textArgument(call, 'fact')) || null
    case 'topic':
    case 'skill':
    case 'plan':
      return textArgument(call, 'title', 'name', 'reason', 'plan_filename', 'plan_path') || null
    case 'mcp':
      return fieldsLine(call.args)
    case 'unknown':
      return null
  }
}

/** The stored description of the call (0.35+), else one derived from its arguments. */
function plainLine(call: ToolCall): string {
  const command = textArgument(call, 'command')
  if (command !== '') return command
  if (call.description !== null && call.description.trim() !== '') return call.description
  return textArgument(call, ...TELLING) || fieldsLine(call.args)
}

/** The path as displayed by the CLI, relative to the project, else as requested. */
function shownPath(call: ToolCall, root: string | null): string | null {
  const path = textArgument(call, 'file_path', 'absolute_path', 'path', 'dir_path', ...OF_ANTIGRAVITY)
  if (path === '') return null
  const shown =
    (call.description ?? '')
      .replace(/^Writing to /, '')
      .split(': ', 1)[0]
      ?.trim() ?? ''
  return shown !== '' && path.endsWith(shown) ? shown : pathFrom(root, path)
}

/** `src/a.ts` for `/home/mia/shop/src/a.ts` in `/home/mia/shop`; unchanged if it is outside. */
function pathFrom(root: string | null, path: string): string {
  const base = root?.replace(/[\\/]+$/, '')
  if (base === undefined || base === '' || !path.startsWith(base)) return path
  const rest = path.slice(base.length)
  if (rest === '') return '.'
  return /^[\\/]/.test(rest) ? rest.slice(1) || '.' : path
}

function rangeLine(call: ToolCall): string {
  const start = numberArgument(call, 'start_line') ?? (numberArgument(call, 'offset') ?? -1) + 1
  const limit = numberArgument(call, 'limit')
  const first = start > 0 ? start : 1
  const last = numberArgument(call, 'end_line') ?? (limit === null ? null : first + limit - 1)
  if (last !== null) return `lines ${formatCount(first)} to ${formatCount(last)}`
  return first > 1 ? `from line ${formatCount(first)}` : ''
}

function patternLine(kind: ToolKind, call: ToolCall, root: string | null): string | null {
  const pattern = textArgument(call, 'pattern', 'query')
  if (pattern === '') return null
  const folder = pathFrom(root, textArgument(call, 'dir_path', 'path'))
  const filter = textArgument(call, 'include_pattern', 'include', 'glob')
  const shown = kind === 'search' ? `“${pattern}”` : pattern
  return joinWords([shown, folder !== '' && folder !== '.' && `in ${folder}`, filter && `(${filter})`], ' ')
}

function processLine(call: ToolCall): string {
  const pid = numberArgument(call, 'pid')
  return pid === null ? '' : `process ${pid}`
}

function addressLine(prompt: string): string | null {
  return (
    askedAddresses(prompt)
      .map((url) => url.replace(/^https?:\/\/(www\.)?/, ''))
      .join(', ') ||
    prompt ||
    null
  )
}

function todoLine(call: ToolCall): string | null {
  if (call.display?.kind !== 'todos') return null
  const { todos } = call.display
  const done = todos.filter((todo) => todo.status === 'completed').length
  return done === 0
    ? `${todos.length} ${todos.length === 1 ? 'task' : 'tasks'}`
    : `${done} of ${todos.length} done`
}

/** The questions of `ask_user`. */
function questionLine(questions: unknown): string {
  if (!Array.isArray(questions)) return ''
  return questions
    .map((row) => recordOf(row).question)
    .filter((question) => typeof question === 'string')
    .join(' ')
}

/** `table: "orders", limit: 5` */
function fieldsLine(args: unknown): string {
  if (!isRecord(args)) return args === null || args === undefined ? '' : JSON.stringify(args)
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')
}

function listArgument(call: ToolCall, ...names: string[]): string[] {
  const args = recordOf(call.args)
  const lists = names.map((name) => args[name]).filter(Array.isArray)
  return (lists[0] ?? []).filter((item): item is string => typeof item === 'string')
}

function joinWords(words: (string | false | null)[], between: string): string | null {
  return words.filter(Boolean).join(between) || null
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** Removes Markdown syntax that is meaningless in one line. */
function unmarked(text: string): string {
  return text.replace(/\*\*|`/g, '')
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_LENGTH * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line
}

export type ToolKind =
  | 'shell'
  | 'edit'
  | 'write'
  | 'read'
  | 'read-many'
  | 'folder'
  | 'find'
  | 'search'
  | 'web'
  | 'todos'
  | 'subagent'
  | 'report'
  | 'memory'
  | 'topic'
  | 'skill'
  | 'docs'
  | 'plan'
  | 'ask'
  | 'mcp'
  | 'unknown'

const KINDS: Record<string, ToolKind> = {
  run_shell_command: 'shell',
  run_command: 'shell',
  list_background_processes: 'shell',
  read_background_output: 'shell',
  replace: 'edit',
  replace_file_content: 'edit',
  multi_replace_file_content: 'edit',
  write_file: 'write',
  write_to_file: 'write',
  read_file: 'read',
  view_file: 'read',
  read_many_files: 'read-many',
  list_directory: 'folder',
  list_dir: 'folder',
  glob: 'find',
  grep_search: 'search',
  search_file_content: 'search',
  web_fetch: 'web',
  google_web_search: 'web',
  write_todos: 'todos',
  tracker_create_task: 'todos',
  tracker_update_task: 'todos',
  tracker_get_task: 'todos',
  tracker_list_tasks: 'todos',
  tracker_add_dependency: 'todos',
  tracker_visualize: 'todos',
  invoke_agent: 'subagent',
  delegate_to_agent: 'subagent',
  codebase_investigator: 'subagent',
  cli_help: 'subagent',
  generalist: 'subagent',
  complete_task: 'report',
  save_memory: 'memory',
  update_topic: 'topic',
  activate_skill: 'skill',
  get_internal_docs: 'docs',
  enter_plan_mode: 'plan',
  exit_plan_mode: 'plan',
  ask_user: 'ask',
  list_mcp_resources: 'mcp',
  read_mcp_resource: 'mcp',
}

/** The card for a tool call: by the tool's name, else by its output. */
export function toolKind(call: ToolCall): ToolKind {
  const known = Object.hasOwn(KINDS, call.name) ? KINDS[call.name] : undefined
  if (known !== undefined) return known
  if (mcpName(call) !== null) return 'mcp'
  if (call.agentKey !== null || call.agentId !== null || call.display?.kind === 'subagent') return 'subagent'
  if (call.display?.kind === 'todos') return 'todos'
  if (call.display?.kind === 'diff') return 'edit'
  if (call.display?.kind === 'search') return 'search'
  return 'unknown'
}

/** Server and tool of an MCP call: from the display name since 0.4, else from the name. */
export function mcpName({ name, displayName }: ToolCall): { server: string; tool: string } | null {
  const shown = /^(.+) \((.+) MCP Server\)$/.exec(displayName ?? '')
  if (shown?.[1] !== undefined && shown[2] !== undefined) return { server: shown[2], tool: shown[1] }
  return mcpParts(name)
}

/** Draws the tool calls of a message inside a tool call. Passed down, because a rack cannot import itself. */
export type DrawCalls = (messageKey: string, calls: ToolCall[]) => ReactNode

/** The tool's label, with what distinguishes its calls: `Invoke Subagent: Codebase investigator`, `query (my_db)`. */
export function toolTitle(call: ToolCall): string {
  const label = toolLabel(call.name) || 'Unnamed tool'
  const agent = toolKind(call) === 'subagent' ? agentName(call) : ''
  if (agent !== '') return `${label}: ${agent}`
  const server = mcpName(call)?.server
  return server === undefined || label.includes(' / ') ? label : `${label} (${server})`
}

/** `codebase_investigator` as a readable name; '' if the tool itself has that name. */
function agentName(call: ToolCall): string {
  const name =
    textArgument(call, 'agent_name') || (call.display?.kind === 'subagent' ? call.display.agentName : '')
  if (name === call.name) return ''
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
