import type { PathCandidate, Project } from '../model/session-summary.ts'
import type { HashText } from './identity.ts'
import { foldersAbove, foldPath, pathSpellings } from './path-spellings.ts'

/** A path that something names as a project's root, before anyone tried to prove it. */
export type PathClue = Omit<PathCandidate, 'verified'>

const SOURCES: Record<PathCandidate['evidence'], Project['pathSource']> = {
  user: 'user',
  marker: 'marker',
  registry: 'registry',
  hash: 'hash',
  'trusted-folder': 'hash',
  search: 'hash',
  directories: 'content',
  'session-context': 'content',
  'tool-arguments': 'content',
  'git-root': 'content',
}

/** The user's word and the marker hold without a proof; the registry, which people edit, where nothing else is proven. */
const CHOICES: ((candidate: PathCandidate) => boolean)[] = [
  ({ evidence }) => evidence === 'user',
  ({ evidence }) => evidence === 'marker',
  ({ evidence, verified }) => evidence === 'registry' && verified,
  ({ verified }) => verified,
  ({ evidence }) => evidence === 'registry',
]

/** The path to show, of candidates sorted by strength. A guess is no path. */
export function choosePath(candidates: readonly PathCandidate[]): Pick<Project, 'path' | 'pathSource'> {
  for (const isChosen of CHOICES) {
    const chosen = candidates.find(isChosen)
    if (chosen !== undefined) return { path: chosen.path, pathSource: SOURCES[chosen.evidence] }
  }
  return { path: null, pathSource: 'none' }
}

/** Arguments of the CLI's own tools, of any version, that name a file or a folder. */
const ARGUMENT =
  /"(?:absolute_path|file_path|dir_path|directory|path)"\s*:\s*"((?:\/|[A-Za-z]:(?:\\\\|\/))(?:[^"\\\n]|\\\\){1,1000})"/g

/** Absolute paths in tool arguments, in the raw JSON text of a session file; each once, the CLI's own files left out. */
export function findTouchedPaths(json: string): string[] {
  const paths = [...json.matchAll(ARGUMENT)].map(([, path = '']) => path.replaceAll('\\\\', '\\'))
  return [...new Set(paths)].filter((path) => !/[\\/]\.gemini[\\/]/.test(path))
}

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

/** A stray look at a file elsewhere must not move the guess up to the folder above both. */
const WANTED_SHARE = 0.6

/** Folders that hold projects, and are none. */
const TOO_HIGH =
  /^(?:\/|\/(?:home|Users|root|tmp|var|usr|etc|opt|mnt|srv|workspace|private)|\/(?:home|Users)\/[^/]+|\/private\/tmp|[A-Za-z]:[\\/]Users(?:[\\/][^\\/]+)?)$/i

/** The innermost folder that holds most of these files: where the work was done, if not proven to be the project's root. */
export function guessRoot(paths: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const path of paths) {
    for (const folder of foldersAbove(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const roots = [...counts].filter(
    ([folder, count]) => count >= paths.length * WANTED_SHARE && !TOO_HIGH.test(folder),
  )
  const [innermost] = roots.sort(([a], [b]) => b.length - a.length)
  return innermost?.[0] ?? null
}

/** The CLI's own files. Plan mode adds such a folder to the workspace (0.30), and it is no project. */
const OWN_FOLDER = /[\\/]\.gemini[\\/](?:tmp|history)(?:[\\/]|$)/

/** What each kind of evidence is worth when nothing is proven, the most first. */
const RANKS: Record<PathCandidate['evidence'], number> = {
  user: 0,
  marker: 1,
  registry: 2,
  hash: 3,
  'trusted-folder': 4,
  search: 5,
  directories: 6,
  'session-context': 7,
  'git-root': 8,
  'tool-arguments': 9,
}

/**
 * Which of these roots are proven, each folder once per kind of evidence and spelled in one way, the strongest first.
 * `hashes` are the project's.
 */
export function judgeClues(
  clues: readonly PathClue[],
  hashes: ReadonlySet<string>,
  hashText: HashText,
): PathCandidate[] {
  const named = clues.filter(({ path }) => path.trim() !== '' && !OWN_FOLDER.test(path))
  const spelled = spellFolders(
    named.map(({ path }) => path),
    (path) => hashes.has(hashText(path)),
  )
  const candidates = new Map<string, PathCandidate>()
  for (const { path: given, evidence, sessions = 0 } of named) {
    const folder = foldPath(given)
    const { path, verified } = spelled.get(folder) ?? { path: given, verified: false }
    const id = `${evidence}\n${folder}`
    const total = sessions + (candidates.get(id)?.sessions ?? 0)
    candidates.set(id, { path, evidence, verified, ...(total === 0 ? {} : { sessions: total }) })
  }
  return withoutNoise([...candidates.values()]).sort(byStrength)
}

/**
 * How each folder is shown, by its folded path: as it is proven, else as something other than a marker or a registry of Windows
 * spells it, which are lower-cased.
 */
function spellFolders(
  paths: readonly string[],
  isProven: (path: string) => boolean,
): ReadonlyMap<string, { path: string; verified: boolean }> {
  const spelled = new Map<string, { path: string; verified: boolean }>()
  for (const given of new Set(paths)) {
    const proven = pathSpellings(given).find(isProven)
    const spelling = { path: proven ?? given, verified: proven !== undefined }
    const known = spelled.get(foldPath(given))
    if (known === undefined || isBetterSpelled(spelling, known)) spelled.set(foldPath(given), spelling)
  }
  return spelled
}

/** Upper case comes first by code unit: of several that are proven, the one that somebody typed with care. */
function isBetterSpelled(
  one: { path: string; verified: boolean },
  other: { path: string; verified: boolean },
): boolean {
  return one.verified === other.verified ? one.path < other.path : one.verified
}

/** Once a root is proven, other folders of the workspace are no guesses any more. What the CLI says stays. */
function withoutNoise(candidates: PathCandidate[]): PathCandidate[] {
  if (!candidates.some(({ verified }) => verified)) return candidates
  return candidates.filter(({ verified, evidence }) => verified || RANKS[evidence] <= RANKS.registry)
}

function byStrength(a: PathCandidate, b: PathCandidate): number {
  return (
    Number(b.verified) - Number(a.verified) ||
    RANKS[a.evidence] - RANKS[b.evidence] ||
    (b.sessions ?? 0) - (a.sessions ?? 0) ||
    (a.path < b.path ? -1 : 1)
  )
}
