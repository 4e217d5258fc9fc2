import { type HashText, sha256Hex } from './sha256.ts'

const WINDOWS_PATH = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\|\/\/)/
/** Where macOS keeps user files, and no other system does. */
const MACOS_PATH = /^\/(?:Users|Volumes|private\/(?:tmp|var))(?:\/|$)/

/** `C:\`, `C:/`, or a network path: `\\server\share`, `//server/share`. */
export function isWindowsPath(path: string): boolean {
  return WINDOWS_PATH.test(path)
}

/** Two spellings of one folder. */
export function isSamePath(a: string, b: string): boolean {
  return a === b || foldPath(a) === foldPath(b)
}

/**
 * A normal form for all spellings of one folder, with `/` as separator: on Windows neither case nor the separator matters, on macOS neither
 * case nor Unicode composition; elsewhere everything does. The system is derived from the path itself, so that a Gemini folder copied to
 * another computer has the same result there.
 */
export function foldPath(path: string, system: PathSystem = systemOf(path)): string {
  if (system === 'windows') return foldCase(withoutEnd(plainWindowsPath(path)))
  if (system === 'macos') return foldCase(withoutEnd(path).normalize('NFD')).normalize('NFC')
  return withoutEnd(path)
}

type PathSystem = 'windows' | 'macos' | 'other'

function systemOf(path: string): PathSystem {
  if (isWindowsPath(path)) return 'windows'
  return MACOS_PATH.test(path) ? 'macos' : 'other'
}

/**
 * Possible spellings of a path when the CLI hashed it, the given one first. On Windows markers and registry are lower-cased, and the drive
 * and the separator depend on the shell; on macOS accents are composed or not.
 */
export function pathSpellings(path: string): string[] {
  if (MACOS_PATH.test(path)) return [...new Set([path, path.normalize('NFC'), path.normalize('NFD')])]
  if (!isWindowsPath(path)) return [path]
  const withDrives = /^[A-Za-z]:/.test(path)
    ? [path, path.charAt(0).toUpperCase() + path.slice(1), path.charAt(0).toLowerCase() + path.slice(1)]
    : [path]
  // The only folder whose case is the same on every Windows.
  const withUsers = withDrives.flatMap((each) => [each, each.replace(/^(.:[\\/])users(?=[\\/])/, '$1Users')])
  return [
    ...new Set(withUsers.flatMap((each) => [each, each.replaceAll('/', '\\'), each.replaceAll('\\', '/')])),
  ]
}

/** Single `/` separators; the prefix `\\?\` only marks a long path. */
function plainWindowsPath(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^\/\/[?.]\/(UNC\/)?/i, (_, unc) => (unc ? '//' : ''))
  return slashed.replace(/(?<=.)\/{2,}/g, '/')
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=[^/])\/+$/, '')
}

/** Lower case, with one sigma, since the choice between the two is only a matter of case. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** Hashing is the cost: a text with more folders than this is given up. */
const MAX_CANDIDATES = 5000

/**
 * The project's root, proven: a folder in the raw JSON text of one of its sessions (tool arguments, context) whose SHA-256 is the
 * `projectHash`. null if none.
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

/** Paths among the words of a text. One expression per prefix: a combined one took three times as long. */
const WORDS = [
  /(?<![\w./\\])[A-Za-z]:(?:\\\\|\/)(?:[^\s"'`<>|*?,;()[\]{}\\]|\\\\){1,1000}/g,
  /(?<![\w./\\])\/(?:[^\s"'`<>|*?,;()[\]{}\\]|\\\\){1,1000}/g,
]

/** Whole JSON strings (which may contain spaces), then words within texts. */
function* absolutePaths(json: string): Generator<string> {
  const unescapePath = (text: string) => text.replaceAll('\\\\', '\\')
  for (const [, path] of json.matchAll(/"((?:\/|[A-Za-z]:(?:\\\\|\/))(?:[^"\\\n]|\\\\){1,1000})"/g))
    yield unescapePath(path ?? '')
  for (const word of WORDS) for (const [path] of json.matchAll(word)) yield unescapePath(path)
}

/** The parent folders of a path, the nearest first, without the root of the file system. */
export function foldersAbove(path: string): string[] {
  const isWindows = isWindowsPath(path)
  const folders: string[] = []
  for (let end = path.length - 1; end > 0; end--) {
    const isSeparator = path[end] === '/' || (isWindows && path[end] === '\\')
    if (isSeparator && path[end - 1] !== ':') folders.push(path.slice(0, end))
  }
  return folders
}
