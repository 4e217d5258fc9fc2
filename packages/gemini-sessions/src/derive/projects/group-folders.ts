import type { HashText } from '../identity/sha256-hex.ts'
import { foldWindowsPath, isWindowsPath, pathSpellings } from '../path-clues/path-spellings.ts'
import type { FolderEvidence } from './folder-evidence.ts'

export interface FolderGroup {
  members: FolderEvidence[]
  projectHash: string | null
  /** Hashes that the CLI wrote for this project: a path with one of them is proven. */
  hashes: ReadonlySet<string>
}

const HASH = /^[0-9a-f]{64}$/

export function isHashName(name: string): boolean {
  return HASH.test(name)
}

/**
 * Folders of one project (contract rule 8): a slug folder and the hash folder from which it was copied (0.29), and the
 * same project's folders in other homes. The hash of a slug folder is that of its path; and a hash folder that most of its
 * files name is its as well.
 */
export function groupFolders(folders: readonly FolderEvidence[], hashText: HashText): FolderGroup[] {
  const hashNames = new Set(folders.map(({ name }) => name).filter(isHashName))
  const groups = new Map<string, { members: FolderEvidence[]; ids: string[] }>()
  for (const folder of folders) {
    const merged = { members: [folder], ids: identitiesOf(folder, hashNames, hashText) }
    for (const group of new Set(merged.ids.flatMap((id) => groups.get(id) ?? []))) {
      merged.members.push(...group.members)
      merged.ids.push(...group.ids)
    }
    for (const id of merged.ids) groups.set(id, merged)
  }
  return [...new Set(groups.values())].map(({ members }) => describeGroup(members, hashText))
}

/** Folders that share one of these are one project. */
function identitiesOf(
  { name, marker, registryPath, fileHashes }: FolderEvidence,
  hashNames: ReadonlySet<string>,
  hashText: HashText,
): string[] {
  if (isHashName(name)) return [name]
  const path = marker ?? registryPath
  const usual = mostFrequent(fileHashes)
  if (path === null) return [usual ?? `name\n${name}`]
  if (!isWindowsPath(path))
    return usual !== null && hashNames.has(usual) ? [hashText(path), usual] : [hashText(path)]
  const spelled = pathSpellings(path).map(hashText)
  return [
    foldWindowsPath(path),
    ...(usual === null ? [] : [usual]),
    ...spelled.filter((hash) => hashNames.has(hash)),
  ]
}

function describeGroup(members: FolderEvidence[], hashText: HashText): FolderGroup {
  const hashes = new Set<string>()
  for (const { name, fileHashes } of members) {
    // The folder counts: files that were copied into a hash folder prove nothing about it.
    const hash = isHashName(name) ? name : mostFrequent(fileHashes)
    if (hash !== null) hashes.add(hash)
  }
  const slugPaths = members.flatMap(({ name, marker, registryPath }) =>
    isHashName(name) ? [] : (marker ?? registryPath ?? []),
  )
  const ofPaths = slugPaths.filter((path) => !isWindowsPath(path)).map(hashText)
  const ofAnySpelling = slugPaths.flatMap(pathSpellings).map(hashText)
  for (const hash of ofAnySpelling) {
    if (members.some(({ fileHashes }) => fileHashes.includes(hash))) hashes.add(hash)
  }
  const projectHash =
    firstOf(ofPaths.filter((hash) => hashes.has(hash))) ??
    firstOf(ofPaths) ??
    firstOf([...hashes]) ??
    firstOf(slugPaths.map(hashText))
  return { members, projectHash, hashes }
}

/** The first by code unit: whatever the order of the folders, the answer is one. */
function firstOf(hashes: readonly string[]): string | null {
  return [...hashes].sort()[0] ?? null
}

/** The value that more than half of these are; null if there is none. */
function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return best !== undefined && best[1] * 2 > values.length ? best[0] : null
}
