import { findDirectories } from '../../derive/path-clues/find-directories.ts'
import { findProjectPath } from '../../derive/path-clues/find-project-path.ts'
import { findTouchedPaths } from '../../derive/path-clues/find-touched-paths.ts'
import { findWorkspacePaths } from '../../derive/path-clues/find-workspace-paths.ts'
import { guessRoot } from '../../derive/path-clues/guess-root.ts'
import type { PathClue } from '../../derive/path-clues/path-clue.ts'
import { hashText } from '../files/hash-text.ts'
import type { DiscoveredFile } from '../scan/discovered-file.ts'
import type { ProjectPlace } from '../scan/project-place.ts'
import { findGitRoot } from './find-git-root.ts'
import { readBeginning } from './read-beginning.ts'

const MAX_FILES = 8

/**
 * What the newest session files, saved chats and prompt logs of a project tell of its root, for folders that no marker and no registry explains: give
 * the answer to `resolveProjects` as a hint. A root proven by `projectHash` ends the search.
 */
export async function searchPathClues(
  projectHash: string | null,
  files: readonly DiscoveredFile[],
  places: readonly ProjectPlace[] = [],
): Promise<PathClue[]> {
  const loose = places.flatMap(({ logs, checkpoints }) => [...checkpoints, ...(logs === null ? [] : [logs])])
  const newest = [...newestOf(files), ...newestOf(loose)]
  const clues: PathClue[] = []
  const touched: string[][] = []
  for (const file of newest) {
    const json = await readBeginning(file)
    const proven = projectHash === null ? null : findProjectPath(projectHash, json, hashText)
    if (proven !== null) return [{ path: proven, evidence: evidenceFor(proven, json), sessions: 1 }]
    for (const path of findWorkspacePaths(json))
      clues.push({ path, evidence: 'session-context', sessions: 1 })
    for (const path of findDirectories(json)) clues.push({ path, evidence: 'directories', sessions: 1 })
    touched.push(findTouchedPaths(json))
  }
  return [...clues, ...(await guessFrom(touched))]
}

function newestOf(files: readonly DiscoveredFile[]): DiscoveredFile[] {
  return [...files].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_FILES)
}

function evidenceFor(path: string, json: string): PathClue['evidence'] {
  if (findWorkspacePaths(json).includes(path)) return 'session-context'
  return findDirectories(json).includes(path) ? 'directories' : 'tool-arguments'
}

async function guessFrom(touched: readonly string[][]): Promise<PathClue[]> {
  const root = guessRoot(touched.flat())
  if (root === null) return []
  const sessions = touched.filter((paths) => paths.some((path) => path.startsWith(root))).length
  const gitRoot = await findGitRoot(root)
  const guess: PathClue = { path: root, evidence: 'tool-arguments', sessions }
  return gitRoot === null ? [guess] : [{ path: gitRoot, evidence: 'git-root', sessions }, guess]
}
