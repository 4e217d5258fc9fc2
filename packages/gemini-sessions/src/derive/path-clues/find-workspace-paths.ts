/**
 * Workspace folders that the injected session context names, in the raw JSON text of a session file:
 * "- **Workspace Directories:**\n  - /path" (0.29+), before that "I'm currently working in the directory: /path" or, with
 * several, "… in the following directories:\n  - /path". The folder of plans that plan mode adds (0.30) is left out by
 * whoever judges them.
 */
export function findWorkspacePaths(json: string): string[] {
  const list =
    /(?:\*\*Workspace Directories:\*\*|currently working in the following directories:)((?:\\n {2}- (?:[^"\\]|\\\\)+)+)/.exec(
      json,
    )?.[1] ?? ''
  const listed = list.split('\\n  - ').slice(1)
  const single = /currently working in the directory: ((?:[^"\\]|\\\\)+)/.exec(json)?.[1]
  const found = single === undefined ? listed : [...listed, single]
  return found.map((path) => path.replaceAll('\\\\', '\\').trim())
}
