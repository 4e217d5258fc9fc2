/** Arguments of the CLI's own tools, of any version, that name a file or a folder. */
const ARGUMENT =
  /"(?:absolute_path|file_path|dir_path|directory|path)"\s*:\s*"((?:\/|[A-Za-z]:(?:\\\\|\/))(?:[^"\\\n]|\\\\){1,1000})"/g

/** Absolute paths in tool arguments, in the raw JSON text of a session file; each once, the CLI's own files left out. */
export function findTouchedPaths(json: string): string[] {
  const paths = [...json.matchAll(ARGUMENT)].map(([, path = '']) => path.replaceAll('\\\\', '\\'))
  return [...new Set(paths)].filter((path) => !/[\\/]\.gemini[\\/]/.test(path))
}
