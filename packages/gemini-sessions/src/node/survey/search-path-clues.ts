import { lstat, open } from 'node:fs/promises'
import { findDirectories } from '../../derive/path-clues/find-directories.ts'
import { findProjectPath } from '../../derive/path-clues/find-project-path.ts'
import { findTouchedPaths } from '../../derive/path-clues/find-touched-paths.ts'
import { findWorkspacePaths } from '../../derive/path-clues/find-workspace-paths.ts'
import { foldersAbove } from '../../derive/path-clues/folders-above.ts'
import { guessRoot } from '../../derive/path-clues/guess-root.ts'
import type { PathClue } from '../../derive/path-clues/path-clue.ts'
import { decodeFile } from '../../parse/json/file-encoding.ts'
import { hashText } from '../files/hash-text.ts'
import { isLocalPath } from '../files/local-path.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import type { DiscoveredFile, ProjectPlace } from '../scan/scan.ts'

const MAX_BYTES = 256 * 1024

/** Deeper than this no repository lies. */
const MAX_FOLDERS = 12

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

/** The repository in which this folder lies on this computer: the nearest folder with `.git` (a file in worktrees). */
async function findGitRoot(folder: string): Promise<string | null> {
  if (!isLocalPath(folder)) return null
  for (const candidate of [folder, ...foldersAbove(folder)].slice(0, MAX_FOLDERS)) {
    const isRoot = await lstat(`${candidate}/.git`).then(
      () => true,
      () => false,
    )
    if (isRoot) return candidate
  }
  return null
}

/** The first text of a session file, enough to meet the paths it is about; empty if it is gone or refused. */
async function readBeginning(file: DiscoveredFile): Promise<string> {
  try {
    const handle = await open(file.absolutePath, READ_ONLY_FLAGS)
    try {
      const buffer = Buffer.allocUnsafe(Math.min(file.sizeBytes, MAX_BYTES))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
      return decodeFile(buffer.subarray(0, bytesRead))
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}
