/** Entries of the field `directories` in the raw JSON text of a session file's beginning, which may be cut anywhere. */
export function findDirectories(json: string): string[] {
  const list = /"directories"\s*:\s*\[((?:\s*"(?:[^"\\]|\\.)*"\s*,?)*)/.exec(json)?.[1] ?? ''
  return [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].flatMap(([quoted]) => {
    const path: unknown = parse(quoted)
    return typeof path === 'string' ? [path] : []
  })
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // An escape that JSON does not know.
    return null
  }
}
