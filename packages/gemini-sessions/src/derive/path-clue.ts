import type { PathCandidate, Project } from '../model/session-summary.ts'
import { foldersAbove, foldPath, pathSpellings } from './path-spellings.ts'
import type { HashText } from './sha256.ts'

/** A possible project root from some source, not verified yet. */
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

/** The user's choice and the marker count without proof; the registry, which users edit, if nothing else is proven. */
const CHOICES: ((candidate: PathCandidate) => boolean)[] = [
  ({ evidence }) => evidence === 'user',
  ({ evidence }) => evidence === 'marker',
  ({ evidence, verified }) => evidence === 'registry' && verified,
  ({ verified }) => verified,
  ({ evidence }) => evidence === 'registry',
]

/** The path to show, from candidates sorted by strength. A guess is not shown. */
export function choosePath(candidates: readonly PathCandidate[]): Pick<Project, 'path' | 'pathSource'> {
  for (const isChosen of CHOICES) {
    const chosen = candidates.find(isChosen)
    if (chosen !== undefined) return { path: chosen.path, pathSource: SOURCES[chosen.evidence] }
  }
  return { path: null, pathSource: 'none' }
}

/** Arguments of the CLI's own tools, in any version, that are a file or a folder. */
const ARGUMENT =
  /"(?:absolute_path|file_path|dir_path|directory|path)"\s*:\s*"((?:\/|[A-Za-z]:(?:\\\\|\/))(?:[^"\\\n]|\\\\){1,1000})"/g

/** Absolute paths in tool arguments, in the raw JSON text of a session file; each once, without the CLI's own files. */
export function findTouchedPaths(json: string): string[] {
  const paths = [...json.matchAll(ARGUMENT)].map(([, path = '']) => path.replaceAll('\\\\', '\\'))
  return [...new Set(paths)].filter((path) => !/[\\/]\.gemini[\\/]/.test(path))
}

/**
 * Workspace folders in the injected session context, in the raw JSON text of a session file: "- **Workspace Directories:**\n - /path"
 * (0.29+), before that "I'm currently working in the directory: /path" or, for several, "… in the following directories:\n - /path". The
 * caller removes the folder of plans that plan mode adds (0.30).
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
    // An invalid JSON escape.
    return null
  }
}

/** A single read of a file elsewhere must not move the guess up to a common parent folder. */
const WANTED_SHARE = 0.6

/** Folders that contain projects, but are not projects. */
const TOO_HIGH =
  /^(?:\/|\/(?:home|Users|root|tmp|var|usr|etc|opt|mnt|srv|workspace|private)|\/(?:home|Users)\/[^/]+|\/private\/tmp|[A-Za-z]:[\\/]Users(?:[\\/][^\\/]+)?)$/i

/** The innermost folder that contains most of these files: where the work was done, though not proven to be the project's root. */
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

/** The CLI's own files. Plan mode adds such a folder to the workspace (0.30); it is not a project. */
const OWN_FOLDER = /[\\/]\.gemini[\\/](?:tmp|history)(?:[\\/]|$)/

/** Rank of each kind of evidence if nothing is proven, the strongest first. */
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
 * Verifies these roots, each folder once per kind of evidence and in one spelling, the strongest first.
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
 * The displayed spelling of each folder, by folded path: the proven one, else one that is not from a Windows marker or registry, which are
 * lower-cased.
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

/** Upper case comes first by code unit: of several proven spellings, the one that was typed with care. */
function isBetterSpelled(
  one: { path: string; verified: boolean },
  other: { path: string; verified: boolean },
): boolean {
  return one.verified === other.verified ? one.path < other.path : one.verified
}

/** Once a root is proven, other workspace folders are no longer candidates. Evidence from the CLI stays. */
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
