import type { PathCandidate } from '../../model/path-candidate.ts'
import type { Project } from '../../model/project.ts'

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

/** The CLI wrote these itself: they hold without a proof. */
const AUTHORITIES = ['user', 'marker', 'registry']

/**
 * The path to show, of candidates sorted by strength: what the user says, else the marker, else the registry, else
 * whatever is proven. A guess is no path.
 */
export function choosePath(candidates: readonly PathCandidate[]): Pick<Project, 'path' | 'pathSource'> {
  const told = AUTHORITIES.map((authority) => candidates.find(({ evidence }) => evidence === authority))
  const chosen =
    told.find((candidate) => candidate !== undefined) ?? candidates.find(({ verified }) => verified)
  if (chosen === undefined) return { path: null, pathSource: 'none' }
  return { path: chosen.path, pathSource: SOURCES[chosen.evidence] }
}
