import { sha256Hex } from './sha256-hex.ts'

/** Hashing is what costs: a text that names more folders than this is given up. */
const MAX_CANDIDATES = 5000

/**
 * The project's root, proven: a folder named in the raw JSON text of one of its sessions (tool arguments, context) whose
 * SHA-256 is the `projectHash`. null if none is.
 */
export function findProjectPath(projectHash: string, json: string): string | null {
  const tried = new Set<string>()
  for (const path of absolutePaths(json)) {
    for (const folder of ancestors(path)) {
      if (tried.has(folder)) break
      if (tried.size >= MAX_CANDIDATES) return null
      tried.add(folder)
      if (sha256Hex(folder) === projectHash) return folder
    }
  }
  return null
}

/** Whole JSON strings (which may hold blanks), then words within texts. */
function* absolutePaths(json: string): Generator<string> {
  const unescapePath = (text: string) => text.replaceAll('\\\\', '\\')
  for (const [, path] of json.matchAll(/"((?:\/|[A-Za-z]:\\\\)(?:[^"\\\n]|\\\\){1,1000})"/g))
    yield unescapePath(path ?? '')
  for (const [path] of json.matchAll(
    /(?<![\w./\\])(?:\/|[A-Za-z]:\\\\)(?:[^\s"'`<>|*?,;()[\]{}\\]|\\\\){1,1000}/g,
  )) {
    yield unescapePath(path)
  }
}

/** The path itself and every folder above it, the root left out. */
function* ancestors(path: string): Generator<string> {
  let current = path.replace(/[\\/.:]+$/, '')
  while (current.length > 1) {
    yield current
    const end = Math.max(current.lastIndexOf('/'), current.lastIndexOf('\\'))
    if (end <= 0) return
    current = current.slice(0, end)
  }
}
