import { findProjectPath } from '../derive/find-project-path.ts'
import type { DiscoveredFile } from './discovered-file.ts'
import { hashText } from './hash-text.ts'
import { readBeginning } from './read-beginning.ts'

const MAX_FILES = 4

/**
 * Looks for a project's root in its newest session files: give the answer to `resolveProjects` as a hint. For hash folders
 * that no marker and no registry explains (up to 0.28).
 */
export async function searchProjectPath(
  projectHash: string,
  files: readonly DiscoveredFile[],
): Promise<string | null> {
  const newest = [...files].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_FILES)
  for (const file of newest) {
    const path = findProjectPath(projectHash, await readBeginning(file), hashText)
    if (path !== null) return path
  }
  return null
}
