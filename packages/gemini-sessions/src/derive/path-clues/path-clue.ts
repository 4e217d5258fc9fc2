import type { PathCandidate } from '../../model/path-candidate.ts'

/** A path that something names as a project's root, before anyone tried to prove it. */
export type PathClue = Omit<PathCandidate, 'verified'>
