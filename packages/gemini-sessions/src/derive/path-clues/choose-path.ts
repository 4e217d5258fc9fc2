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
