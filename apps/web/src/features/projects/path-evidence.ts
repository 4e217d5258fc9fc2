import type { Project } from 'gemini-sessions'

const EVIDENCE: Record<Project['pathSource'], string> = {
  marker: 'named by the CLI in the project’s folder',
  registry: 'from the CLI’s list of projects',
  hash: 'found by the folder’s hash',
  content: 'told by the sessions themselves',
  user: 'given by you',
  none: 'path unknown: the folder’s name is a hash of it',
}

/** How a project's path is known. */
export function pathEvidence(source: Project['pathSource']): string {
  return EVIDENCE[source]
}
