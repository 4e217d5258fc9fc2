import type { PathCandidate } from '../../model/path-candidate.ts'
import type { HashText } from '../identity/sha256-hex.ts'
import type { PathClue } from './path-clue.ts'
import { foldPath, pathSpellings } from './path-spellings.ts'

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
