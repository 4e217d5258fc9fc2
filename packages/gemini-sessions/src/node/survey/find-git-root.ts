import { lstat } from 'node:fs/promises'
import { foldersAbove } from '../../derive/path-clues/folders-above.ts'
import { isLocalPath } from '../files/is-local-path.ts'

/** Deeper than this no repository lies. */
const MAX_FOLDERS = 12

/** The repository in which this folder lies on this computer: the nearest folder with `.git` (a file in worktrees). */
export async function findGitRoot(folder: string): Promise<string | null> {
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
