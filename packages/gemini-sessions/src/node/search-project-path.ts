import { open } from 'node:fs/promises'
import { findProjectPath } from '../derive/find-project-path.ts'
import type { DiscoveredFile } from './discovered-file.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'

const MAX_FILES = 4
const MAX_FILE_BYTES = 256 * 1024

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
    const path = findProjectPath(projectHash, await readBeginning(file))
    if (path !== null) return path
  }
  return null
}

async function readBeginning(file: DiscoveredFile): Promise<string> {
  try {
    const handle = await open(file.absolutePath, READ_ONLY_FLAGS)
    try {
      const buffer = Buffer.allocUnsafe(Math.min(file.sizeBytes, MAX_FILE_BYTES))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}
