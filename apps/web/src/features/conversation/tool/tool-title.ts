import type { ToolCall } from 'gemini-sessions'
import { mcpName } from './tool-kind.ts'

/** `Edit`, `postgres / describe_table`, or the name as the model wrote it. */
export function toolTitle(call: ToolCall): string {
  const mcp = mcpName(call)
  if (mcp !== null) return `${mcp.server} / ${mcp.tool}`
  return call.displayName?.trim() || TITLES[call.name] || call.name || 'Unnamed tool'
}

/** For versions that stored no display name. */
const TITLES: Record<string, string> = {
  run_shell_command: 'Shell',
  replace: 'Edit',
  write_file: 'WriteFile',
  read_file: 'ReadFile',
  read_many_files: 'ReadManyFiles',
  list_directory: 'ReadFolder',
  glob: 'FindFiles',
  grep_search: 'SearchText',
  search_file_content: 'SearchText',
  web_fetch: 'WebFetch',
  google_web_search: 'GoogleSearch',
  write_todos: 'WriteTodos',
  save_memory: 'SaveMemory',
  ask_user: 'AskUser',
  codebase_investigator: 'Codebase Investigator',
}
