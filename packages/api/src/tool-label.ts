/** What Gemini CLI calls its own tools on screen, since 0.4. */
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
  ask_user: 'AskUser',
  codebase_investigator: 'Codebase Investigator',
}

/** `run_shell_command` as `Shell`; other tools by their own name. */
export function toolLabel(name: string): string {
  return Object.hasOwn(LABELS, name) ? (LABELS[name] ?? name) : name
}

/** The tools that are called so on screen, in any case: `shell` is `run_shell_command`. */
export function toolsCalled(label: string): string[] {
  const wanted = label.toLowerCase()
  return Object.keys(LABELS).filter((name) => LABELS[name]?.toLowerCase() === wanted)
}
