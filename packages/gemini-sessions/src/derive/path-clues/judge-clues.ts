import type { PathCandidate } from '../../model/path-candidate.ts'
import type { HashText } from '../identity/sha256-hex.ts'
import type { PathClue } from './path-clue.ts'
import { isSamePath, pathSpellings } from './path-spellings.ts'

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

/** Which of these roots are proven, each path once per kind of evidence, the strongest first. `hashes` are the project's. */
export function judgeClues(
  clues: readonly PathClue[],
  hashes: ReadonlySet<string>,
  hashText: HashText,
): PathCandidate[] {
  const candidates = new Map<string, PathCandidate>()
  for (const { path, evidence, sessions = 0 } of clues) {
    if (OWN_FOLDER.test(path)) continue
    const proven = pathSpellings(path).find((spelling) => hashes.has(hashText(spelling)))
    const candidate = { path: proven ?? path, evidence, verified: proven !== undefined }
    const id = `${evidence}\n${candidate.path}`
    const total = sessions + (candidates.get(id)?.sessions ?? 0)
    candidates.set(id, total === 0 ? candidate : { ...candidate, sessions: total })
  }
  return withoutNoise(spellAlike([...candidates.values()])).sort(byStrength)
}

/** On Windows markers and registry are lower-cased: the spelling that is proven, or else a session's own, is shown. */
function spellAlike(candidates: PathCandidate[]): PathCandidate[] {
  return candidates.map((candidate) => {
    if (candidate.verified || RANKS[candidate.evidence] > RANKS.registry) return candidate
    const same = candidates.filter(({ path }) => isSamePath(path, candidate.path))
    const proven = same.find(({ verified }) => verified)
    const spelled = proven ?? same.find(({ path }) => path !== path.toLowerCase())
    return spelled === undefined
      ? candidate
      : { ...candidate, path: spelled.path, verified: spelled.verified }
  })
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
