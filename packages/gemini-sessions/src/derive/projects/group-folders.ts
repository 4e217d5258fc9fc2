import type { HashText } from '../identity/sha256-hex.ts'
import { foldPath, isWindowsPath, pathSpellings } from '../path-clues/path-spellings.ts'
import type { FolderEvidence } from './folder-evidence.ts'
import type { KnownRoots } from './known-roots.ts'

export interface FolderGroup {
  members: FolderEvidence[]
  /** What its key is made of; null: of the name of its folder. */
  projectHash: string | null
  /** Hashes that the CLI wrote for this project: a path with one of them is proven. */
  hashes: ReadonlySet<string>
}

/** A folder with the root that it belongs to, as far as that is known without a search. */
interface RootedFolder extends FolderEvidence {
  isHash: boolean
  root: string | null
  /** `projectHash` of most of its files. */
  usual: string | null
}

const HASH = /^[0-9a-f]{64}$/

export function isHashName(name: string): boolean {
  return HASH.test(name)
}

/**
 * Folders of one project (contract rule 8): a slug folder and the hash folder from which it was copied (0.29), the same
 * project's folders in other homes, and those of one root that Windows or macOS spelled in several ways. The hash of a slug
 * folder is that of its path; and a hash folder that most of its files name is its as well.
 */
export function groupFolders(
  folders: readonly FolderEvidence[],
  roots: KnownRoots,
  hashText: HashText,
): FolderGroup[] {
  const hashNames = new Set(folders.map(({ name }) => name).filter(isHashName))
  const groups = new Map<string, { members: RootedFolder[]; ids: string[] }>()
  for (const folder of folders) {
    const rooted = withRoot(folder, roots)
    const merged = { members: [rooted], ids: identitiesOf(rooted, hashNames, hashText) }
    for (const group of new Set(merged.ids.flatMap((id) => groups.get(id) ?? []))) {
      merged.members.push(...group.members)
      merged.ids.push(...group.ids)
    }
    for (const id of merged.ids) groups.set(id, merged)
  }
  return [...new Set(groups.values())].map(({ members }) => describeGroup(members, roots, hashText))
}

/** The marker is the CLI's own word; the registry's holds where no hash speaks for another path. */
function withRoot(folder: FolderEvidence, roots: KnownRoots): RootedFolder {
  const { name, marker, registryPaths, fileHashes } = folder
  if (isHashName(name)) return { ...folder, isHash: true, root: roots.pathOf(name), usual: null }
  const usual = mostFrequent(fileHashes)
  const filesOf = (path: string) => fileHashes.filter((hash) => roots.proves(hash, path)).length
  const [proven] = registryPaths
    .map((path) => ({ path, files: filesOf(path) }))
    .filter(({ files }) => files > 0)
    .sort((a, b) => b.files - a.files || (a.path < b.path ? -1 : 1))
  const root =
    marker ?? proven?.path ?? (usual === null ? null : roots.pathOf(usual)) ?? registryPaths.at(-1) ?? null
  return { ...folder, isHash: false, root, usual }
}

/** Folders that share one of these are one project. */
function identitiesOf(
  { name, isHash, root, usual }: RootedFolder,
  hashNames: ReadonlySet<string>,
  hashText: HashText,
): string[] {
  const ofRoot = root === null ? [] : [foldPath(root)]
  if (isHash) return [name, ...ofRoot]
  if (root === null) return [usual ?? `name\n${name}`]
  // Windows lower-cases the path of a slug folder: what its files name is the only link to folders that nothing explains.
  const isLinked = usual !== null && (isWindowsPath(root) || hashNames.has(usual))
  const spelled = pathSpellings(root).map(hashText)
  return [...ofRoot, ...(isLinked ? [usual] : []), ...spelled.filter((hash) => hashNames.has(hash))]
}

function describeGroup(members: RootedFolder[], roots: KnownRoots, hashText: HashText): FolderGroup {
  const hashes = new Set<string>()
  for (const { name, isHash, usual } of members) {
    // The folder counts: files that were copied into a hash folder prove nothing about it.
    const hash = isHash ? name : usual
    if (hash !== null) hashes.add(hash)
  }
  const slugRoots = members.flatMap(({ isHash, root }) => (isHash || root === null ? [] : [root]))
  for (const hash of new Set(members.flatMap(({ fileHashes }) => fileHashes))) {
    if (slugRoots.some((root) => roots.proves(hash, root))) hashes.add(hash)
  }
  const hashRoots = members.flatMap(({ isHash, root }) => (isHash && root !== null ? [root] : []))
  const firstRoot =
    firstOf(slugRoots.map((root) => foldPath(root))) ?? firstOf(hashRoots.map((root) => foldPath(root)))
  const projectHash =
    firstRoot === null
      ? (firstOf(members.flatMap(({ name, isHash }) => (isHash ? [name] : []))) ?? firstOf([...hashes]))
      : hashText(firstRoot)
  return { members, projectHash, hashes }
}

/** The first by code unit: whatever the order of the folders, the answer is one. */
function firstOf(texts: readonly string[]): string | null {
  return [...texts].sort()[0] ?? null
}

/** The value that more than half of these are; null if there is none. */
function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return best !== undefined && best[1] * 2 > values.length ? best[0] : null
}
