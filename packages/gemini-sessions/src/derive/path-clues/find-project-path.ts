import { type HashText, sha256Hex } from '../identity/sha256-hex.ts'
import { foldersAbove } from './folders-above.ts'
import { pathSpellings } from './path-spellings.ts'

/** Hashing is what costs: a text that names more folders than this is given up. */
const MAX_CANDIDATES = 5000

/**
 * The project's root, proven: a folder named in the raw JSON text of one of its sessions (tool arguments, context) whose
 * SHA-256 is the `projectHash`. null if none is.
 */
export function findProjectPath(
  projectHash: string,
  json: string,
  hashText: HashText = sha256Hex,
): string | null {
  const tried = new Set<string>()
  for (const path of absolutePaths(json)) {
    const named = path.replace(/[\\/.:]+$/, '')
    for (const folder of named === '' ? [] : [named, ...foldersAbove(named)]) {
      if (tried.has(folder)) break
      if (tried.size >= MAX_CANDIDATES) return null
      tried.add(folder)
      const proven = pathSpellings(folder).find((spelling) => hashText(spelling) === projectHash)
      if (proven !== undefined) return proven
    }
  }
  return null
}

/** Whole JSON strings (which may hold blanks), then words within texts. */
function* absolutePaths(json: string): Generator<string> {
  const unescapePath = (text: string) => text.replaceAll('\\\\', '\\')
  for (const [, path] of json.matchAll(/"((?:\/|[A-Za-z]:(?:\\\\|\/))(?:[^"\\\n]|\\\\){1,1000})"/g))
    yield unescapePath(path ?? '')
  for (const [path] of json.matchAll(
    /(?<![\w./\\])(?:\/|[A-Za-z]:(?:\\\\|\/))(?:[^\s"'`<>|*?,;()[\]{}\\]|\\\\){1,1000}/g,
  )) {
    yield unescapePath(path)
  }
}
