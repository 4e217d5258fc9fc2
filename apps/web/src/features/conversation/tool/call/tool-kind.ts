import { mcpParts } from '@gemini-dash/api/tool-label'
import type { ToolCall } from 'gemini-sessions'

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
  list_background_processes: 'shell',
  read_background_output: 'shell',
  replace: 'edit',
  write_file: 'write',
  read_file: 'read',
  read_many_files: 'read-many',
  list_directory: 'folder',
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

/** Which card draws a call: by the tool's own name, else by what came back. */
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

/**
 * Server and tool of an MCP call. Its display name tells them since 0.4, else its name.
 */
export function mcpName({ name, displayName }: ToolCall): { server: string; tool: string } | null {
  const shown = /^(.+) \((.+) MCP Server\)$/.exec(displayName ?? '')
  if (shown?.[1] !== undefined && shown[2] !== undefined) return { server: shown[2], tool: shown[1] }
  return mcpParts(name)
}
