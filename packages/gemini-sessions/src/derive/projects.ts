import type { Project } from '../model/session-summary.ts'
import { projectKey } from './identity.ts'
import { choosePath, judgeClues, type PathClue } from './path-clue.ts'
import { foldPath, isSamePath, isWindowsPath, pathSpellings } from './path-spellings.ts'
import { type HashText, sha256Hex } from './sha256.ts'

/** A project, from the folders that the CLI keeps for it. Totals of its sessions are not known yet. */
export interface ProjectIdentity
  extends Pick<Project, 'key' | 'name' | 'nameSource' | 'path' | 'pathSource' | 'candidates' | 'folders'> {
  projectHash: string | null
  /** Hashes written by the CLI for it: a path with one of them is proven. */
  hashes: string[]
}

/**
 * The projects of these folders, sorted by name (contract rule 8). `knownPaths` are roots from other sources,
 * `trustedFolders` those of `trustedFolders.json`; `hashText` may be a faster SHA-256 than the portable one.
 */
export function identifyProjects(
  folders: readonly FolderEvidence[],
  knownPaths: readonly string[],
  trustedFolders: readonly string[] = [],
  hashText: HashText = sha256Hex,
): ProjectIdentity[] {
  const hashOnce = remembering(hashText)
  const known: KnownPaths = {
    roots: rootsByHash([...knownPaths, ...folders.flatMap(({ marker }) => marker ?? [])], hashOnce),
    trusted: rootsByHash(trustedFolders, hashOnce),
  }
  const roots = knownRoots(folders, [...knownPaths, ...trustedFolders], hashOnce)
  const projects = groupFolders(folders, roots, hashOnce).map((group) => identify(group, known, hashOnce))
  return tellApart(projects).sort((a, b) => (a.name + a.key < b.name + b.key ? -1 : 1))
}

function identify(group: FolderGroup, known: KnownPaths, hashText: HashText): ProjectIdentity {
  const { members, projectHash, hashes } = group
  const candidates = judgeClues(collectClues(group, known, hashText), hashes, hashText)
  const names = members.map((member) => member.name).sort()
  const chosen = choosePath(candidates)
  return {
    key: projectKey(projectHash, names[0] ?? ''),
    ...nameProject(chosen.path, names),
    ...chosen,
    candidates,
    projectHash,
    hashes: [...hashes].sort(),
    folders: members.map((member) => member.folder).sort(),
  }
}

/** Each path is hashed for several questions. */
function remembering(hashText: HashText): HashText {
  const known = new Map<string, string>()
  return (text) => {
    const hash = known.get(text) ?? hashText(text)
    known.set(text, hash)
    return hash
  }
}

/** Roots known from other sources, in every spelling, by SHA-256. */
interface KnownPaths {
  roots: ReadonlyMap<string, string>
  trusted: ReadonlyMap<string, string>
}

/** All possible roots for these folders. */
function collectClues({ members, hashes }: FolderGroup, known: KnownPaths, hashText: HashText): PathClue[] {
  const recordedPaths = members.flatMap(({ marker, registryPaths }) => [
    ...(marker === null ? [] : [marker]),
    ...registryPaths,
  ])
  const own = [...new Set([...hashes, ...recordedPaths.map(hashText)])].sort()
  const roots = own.flatMap((hash) => known.roots.get(hash) ?? []).sort()
  const trusted = own.flatMap((hash) => known.trusted.get(hash) ?? [])
  // Windows lower-cases stored paths; a root proven by a hash has the original spelling.
  const spelled = (path: string) => roots.find((root) => isSamePath(root, path)) ?? path
  const recorded = members.flatMap(({ marker, registryPaths }): PathClue[] => [
    ...(marker === null ? [] : [{ path: spelled(marker), evidence: 'marker' as const }]),
    ...registryPaths.map((path) => ({ path: spelled(path), evidence: 'registry' as const })),
  ])
  const isRecorded = (root: string) => recorded.some(({ path }) => isSamePath(path, root))
  const named = members.flatMap(({ directories, clues = [] }): PathClue[] => [
    ...directories.map((path) => ({ path, evidence: 'directories' as const })),
    ...clues,
  ])
  return [
    ...recorded,
    ...roots.filter((root) => !isRecorded(root)).map((path) => ({ path, evidence: 'hash' as const })),
    ...trusted.map((path) => ({ path, evidence: 'trusted-folder' as const })),
    ...named,
  ]
}

/** What is known of one folder in `tmp/`. */
export interface FolderEvidence {
  /** Absolute path. */
  folder: string
  /** A SHA-256 (up to 0.28) or a slug. */
  name: string
  marker: string | null
  /** All registry entries with this name: one, unless it was edited. */
  registryPaths: readonly string[]
  /** `projectHash` of each of its files read so far. */
  fileHashes: readonly string[]
  /** Paths in the `directories` of its files. */
  directories: readonly string[]
  /** Other possible roots from its files, or from a folder search. */
  clues?: readonly PathClue[]
}

interface FolderGroup {
  members: FolderEvidence[]
  /** Source of its key; null: the name of its folder. */
  projectHash: string | null
  /** Hashes written by the CLI for this project: a path with one of them is proven. */
  hashes: ReadonlySet<string>
}

/** A folder with its root, as far as known without a search. */
interface RootedFolder extends FolderEvidence {
  isHash: boolean
  root: string | null
  /** `projectHash` of most of its files. */
  usual: string | null
}

const HASH = /^[0-9a-f]{64}$/

function isHashName(name: string): boolean {
  return HASH.test(name)
}

/**
 * Folders of one project (contract rule 8): a slug folder and the hash folder it was copied from (0.29), folders of the same project in
 * other Gemini folders, and those of one root with several spellings on Windows or macOS. The hash of a slug folder is that of its path; a
 * hash folder named in most of its files belongs to it as well.
 */
function groupFolders(
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

/** The marker is written by the CLI itself; the registry counts if no hash proves another path. */
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
  // Windows lower-cases the path of a slug folder: the hash in its files is then the only link to otherwise unexplained folders.
  const isLinked = usual !== null && (isWindowsPath(root) || hashNames.has(usual))
  const spelled = pathSpellings(root).map(hashText)
  return [...ofRoot, ...(isLinked ? [usual] : []), ...spelled.filter((hash) => hashNames.has(hash))]
}

function describeGroup(members: RootedFolder[], roots: KnownRoots, hashText: HashText): FolderGroup {
  const hashes = new Set<string>()
  for (const { name, isHash, usual } of members) {
    // The folder counts: files copied into a hash folder prove nothing about it.
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

/** The first by code unit, so that the result does not depend on the order of the folders. */
function firstOf(texts: readonly string[]): string | null {
  return [...texts].sort()[0] ?? null
}

/** The value of more than half of these; null if none. */
function mostFrequent(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return best !== undefined && best[1] * 2 > values.length ? best[0] : null
}

/** Paths by SHA-256, in every spelling, which prove the root of a folder. */
interface KnownRoots {
  /** The path with this hash; null if unknown. */
  pathOf(hash: string): string | null
  /** Whether this is the hash of this folder, however it was spelled when the CLI hashed it. */
  proves(hash: string, path: string): boolean
}

/** `elsewhere`: roots from sources other than these folders and their files. */
function knownRoots(
  folders: readonly FolderEvidence[],
  elsewhere: readonly string[],
  hashText: HashText,
): KnownRoots {
  const named = folders.flatMap(({ marker, registryPaths, directories, clues = [] }) => [
    ...(marker === null ? [] : [marker]),
    ...registryPaths,
    ...directories,
    ...clues.map(({ path }) => path),
  ])
  const byHash = rootsByHash([...elsewhere, ...named], hashText)
  return {
    pathOf: (hash) => byHash.get(hash) ?? null,
    proves: (hash, path) => {
      const proven = byHash.get(hash)
      return proven !== undefined && isSamePath(proven, path)
    },
  }
}

function rootsByHash(paths: readonly string[], hashText: HashText): ReadonlyMap<string, string> {
  const spelled = [...new Set(paths)].flatMap(pathSpellings)
  return new Map(spelled.map((path) => [hashText(path), path]))
}

/** A project is named after its root, else after its folder, else by the beginning of its folder's hash. */
function nameProject(
  path: string | null,
  folderNames: readonly string[],
): Pick<Project, 'name' | 'nameSource'> {
  if (path !== null) return { name: endsOf(path)[0] ?? path, nameSource: 'path' }
  const slug = folderNames.find((name) => !isHashName(name))
  if (slug !== undefined) return { name: slug, nameSource: 'folder' }
  return { name: `${(folderNames[0] ?? '').slice(0, 8)}…`, nameSource: 'hash' }
}

/**
 * The same projects with unique names: the end of the path, or of the folder's if that is all that is known, as short as possible
 * (`apps/web` and `docs/web`). Names set by the user stay unchanged.
 */
export function tellApart<T extends Named>(projects: readonly T[]): T[] {
  const ends = new Map(projects.map((project) => [project, endsOf(placeOf(project) ?? '')]))
  const uses = new Map<string, number>()
  for (const project of projects) {
    const names = placeOf(project) === null ? [project.name] : (ends.get(project) ?? [])
    for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  return projects.map((project) => {
    const place = placeOf(project)
    if (place === null) return project
    const own = ends.get(project)?.find((end) => uses.get(end) === 1)
    return { ...project, name: own ?? wholeOf(place, project, projects) }
  })
}

/** The full path if its end is the whole of another; the user may give several projects the same path. */
function wholeOf(place: string, project: Named, projects: readonly Named[]): string {
  const isShared = projects.some((other) => other !== project && placeOf(other) === place)
  return isShared ? `${place} (${project.key})` : place
}

type Named = Pick<Project, 'key' | 'name' | 'nameSource' | 'path' | 'folders'>

/** The path that its name is the end of; null if the name has another source. */
function placeOf({ nameSource, path, folders }: Named): string | null {
  if (nameSource === 'path') return path
  if (nameSource !== 'folder') return null
  const slugs = folders.filter((folder) => !isHashName(lastOf(folder)))
  return slugs.sort((a, b) => (`${lastOf(a)}\n${a}` < `${lastOf(b)}\n${b}` ? -1 : 1))[0] ?? null
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The last name of a path, the last two, and so on; empty for the root of a file system. */
function endsOf(path: string): string[] {
  const text = path.replace(/[\\/]+$/, '')
  const starts = [...text.matchAll(/(?<=^|[\\/])[^\\/]+/g)].map(({ index }) => index)
  return starts.reverse().map((start) => text.slice(start))
}

/** The project with these additional clues, such as the user's. Its key stays; `tellApart` makes its name unique. */
export function withPathClues(
  project: ProjectIdentity,
  clues: readonly PathClue[],
  hashText: HashText = sha256Hex,
): ProjectIdentity {
  if (clues.length === 0) return project
  const candidates = judgeClues([...project.candidates, ...clues], new Set(project.hashes), hashText)
  const chosen = choosePath(candidates)
  const folderNames = project.folders.map((folder) => folder.slice(folder.lastIndexOf('/') + 1)).sort()
  return { ...project, ...nameProject(chosen.path, folderNames), ...chosen, candidates }
}
