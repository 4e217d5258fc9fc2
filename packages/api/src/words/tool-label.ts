/** Gemini CLI's display names of its own tools, since 0.4. */
const LABELS: Record<string, string> = {
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
  ask_user: 'Ask User',
  invoke_agent: 'Invoke Subagent',
  delegate_to_agent: 'Delegate to Agent',
  codebase_investigator: 'Codebase Investigator',
  complete_task: 'Complete Task',
  enter_plan_mode: 'Enter Plan Mode',
  exit_plan_mode: 'Exit Plan Mode',
  update_topic: 'Update Topic Context',
  tracker_create_task: 'Create Task',
  tracker_update_task: 'Update Task',
  tracker_get_task: 'Get Task',
  tracker_list_tasks: 'List Tasks',
  tracker_add_dependency: 'Add Dependency',
  tracker_visualize: 'Visualize Tasks',
}

/**
 * The name of a tool wherever it is shown: `run_shell_command` is `Shell`, `mcp_postgres_query` is
 * `postgres / query`, any other is unchanged. Based on the recorded name only, because facets and figures have no display name, and
 * recorded display names differ between versions.
 */
export function toolLabel(name: string): string {
  if (Object.hasOwn(LABELS, name)) return LABELS[name] ?? name
  const mcp = mcpParts(name)
  return mcp === null ? name : `${mcp.server} / ${mcp.tool}`
}

/** Whether it is one of Gemini CLI's own tools, whose argument names are the same in every call. */
export function isOwnTool(name: string): boolean {
  return Object.hasOwn(LABELS, name)
}

/**
 * Server and tool of an MCP tool: `mcp_<server>_<tool>` since 0.34, split at the first underscore, since the end of the server's name is
 * not marked;
 * `<server>__<tool>` before.
 */
export function mcpParts(name: string): { server: string; tool: string } | null {
  const match = /^mcp_([^_]+)_(.+)$/.exec(name) ?? /^([^_].*?)__(.+)$/.exec(name)
  return match?.[1] === undefined || match[2] === undefined ? null : { server: match[1], tool: match[2] }
}
