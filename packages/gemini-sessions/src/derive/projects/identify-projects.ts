import type { Project } from '../../model/project.ts'
import { projectKey } from '../identity/keys.ts'
import { type HashText, sha256Hex } from '../identity/sha256-hex.ts'
import { choosePath } from '../path-clues/choose-path.ts'
import { judgeClues } from '../path-clues/judge-clues.ts'
import type { PathClue } from '../path-clues/path-clue.ts'
import { isSamePath } from '../path-clues/path-spellings.ts'
import type { FolderEvidence } from './folder-evidence.ts'
import { type FolderGroup, groupFolders } from './group-folders.ts'
import { knownRoots, rootsByHash } from './known-roots.ts'
import { nameProject, tellApart } from './name-project.ts'

/** One project of the user, by the folders that the CLI keeps for it. What its sessions add up to is not known yet. */
export interface ProjectIdentity
  extends Pick<Project, 'key' | 'name' | 'nameSource' | 'path' | 'pathSource' | 'candidates' | 'folders'> {
  projectHash: string | null
  /** Hashes that the CLI wrote for it: a path with one of them is proven. */
  hashes: string[]
}

/**
 * The projects behind these folders, sorted by name (contract rule 8). `knownPaths` are roots named anywhere else,
 * `trustedFolders` those of `trustedFolders.json`; `hashText` may be a faster SHA-256 than the one that runs everywhere.
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

/** Each path is asked for by several questions. */
function remembering(hashText: HashText): HashText {
  const known = new Map<string, string>()
  return (text) => {
    const hash = known.get(text) ?? hashText(text)
    known.set(text, hash)
    return hash
  }
}

/** Roots that are known from elsewhere, in every spelling, by their SHA-256. */
interface KnownPaths {
  roots: ReadonlyMap<string, string>
  trusted: ReadonlyMap<string, string>
}

/** All that names a root for these folders. */
function collectClues({ members, hashes }: FolderGroup, known: KnownPaths, hashText: HashText): PathClue[] {
  const toldPaths = members.flatMap(({ marker, registryPaths }) => [
    ...(marker === null ? [] : [marker]),
    ...registryPaths,
  ])
  const own = [...new Set([...hashes, ...toldPaths.map(hashText)])].sort()
  const roots = own.flatMap((hash) => known.roots.get(hash) ?? []).sort()
  const trusted = own.flatMap((hash) => known.trusted.get(hash) ?? [])
  // Windows lower-cases what it writes down; a root that a hash proves is spelled as somebody typed it.
  const spelled = (path: string) => roots.find((root) => isSamePath(root, path)) ?? path
  const told = members.flatMap(({ marker, registryPaths }): PathClue[] => [
    ...(marker === null ? [] : [{ path: spelled(marker), evidence: 'marker' as const }]),
    ...registryPaths.map((path) => ({ path: spelled(path), evidence: 'registry' as const })),
  ])
  const isTold = (root: string) => told.some(({ path }) => isSamePath(path, root))
  const named = members.flatMap(({ directories, clues = [] }): PathClue[] => [
    ...directories.map((path) => ({ path, evidence: 'directories' as const })),
    ...clues,
  ])
  return [
    ...told,
    ...roots.filter((root) => !isTold(root)).map((path) => ({ path, evidence: 'hash' as const })),
    ...trusted.map((path) => ({ path, evidence: 'trusted-folder' as const })),
    ...named,
  ]
}
