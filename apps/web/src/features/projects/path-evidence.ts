import type { PathEvidence, Project } from 'gemini-sessions'

const SOURCES: Record<Project['pathSource'], string> = {
  marker: 'named by the CLI in the project’s folder',
  registry: 'from the CLI’s list of projects',
  hash: 'found by the folder’s hash',
  content: 'told by the sessions themselves',
  user: 'given by you',
  none: 'path unknown',
}

const EVIDENCE: Record<PathEvidence, string> = {
  marker: 'the CLI’s marker in the project’s folder',
  registry: 'the CLI’s list of projects',
  hash: 'a folder known from another project or home',
  'trusted-folder': 'the CLI’s list of trusted folders',
  directories: 'the workspace folders of its sessions',
  'session-context': 'the context at the start of its sessions',
  'tool-arguments': 'paths in tool calls',
  'git-root': 'the repository around paths in tool calls',
  search: 'looking for it on this computer',
  user: 'your own word',
}

/** How a project's path is known. */
export function pathSourceText(source: Project['pathSource']): string {
  return SOURCES[source]
}

/** What speaks for a path, as it stands after "from". */
export function pathEvidenceText(evidence: PathEvidence): string {
  return EVIDENCE[evidence]
}
