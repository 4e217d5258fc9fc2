import type { FolderEvidence } from './folder-evidence.ts'
import { sha256Hex } from './sha256-hex.ts'

export interface FolderGroup {
  members: FolderEvidence[]
  projectHash: string | null
}

const HASH = /^[0-9a-f]{64}$/

/**
 * Folders of one project: a slug folder and the hash folder from which it was copied (0.29), and the same project's
 * folders in other homes. The hash of a slug folder is that of its path or, where paths are stored lower-cased
 * (Windows) or not at all, the one that most of its files carry.
 */
export function groupFolders(folders: readonly FolderEvidence[]): FolderGroup[] {
  const hashFolders = new Set(folders.map(({ name }) => name).filter((name) => HASH.test(name)))
  const aliases = new Map<string, string>()
  for (const folder of folders) {
    const own = hashOf(folder)
    const usual = mostFrequent(folder.fileHashes)
    // A slug folder whose files carry another hash than its path's belongs to that hash folder as well.
    if (
      own !== null &&
      usual !== null &&
      usual !== own &&
      hashFolders.has(usual) &&
      !HASH.test(folder.name)
    ) {
      aliases.set(usual, own)
    }
  }
  const groups = new Map<string, FolderGroup>()
  for (const folder of folders) {
    const own = hashOf(folder)
    const projectHash = own === null ? null : (aliases.get(own) ?? own)
    const id = projectHash ?? `name\n${folder.name}`
    const group = groups.get(id) ?? { members: [], projectHash }
    group.members.push(folder)
    groups.set(id, group)
  }
  return [...groups.values()]
}

function hashOf({ name, marker, registryPath, fileHashes }: FolderEvidence): string | null {
  if (HASH.test(name)) return name
  const path = marker ?? registryPath
  const isLowerCased = path !== null && /^[a-z]:[\\/]/.test(path)
  if (path !== null && !isLowerCased) return sha256Hex(path)
  return mostFrequent(fileHashes) ?? (path === null ? null : sha256Hex(path))
}

/** The value that more than half of these are; null if there is none. */
function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return best !== undefined && best[1] * 2 > values.length ? best[0] : null
}
