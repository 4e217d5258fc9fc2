import type { Project } from '../../model/project.ts'
import { projectKey } from '../identity/keys.ts'
import { type HashText, sha256Hex } from '../identity/sha256-hex.ts'
import { choosePath } from '../path-clues/choose-path.ts'
import { judgeClues } from '../path-clues/judge-clues.ts'
import type { PathClue } from '../path-clues/path-clue.ts'
import { isSamePath, pathSpellings } from '../path-clues/path-spellings.ts'
import type { FolderEvidence } from './folder-evidence.ts'
import { type FolderGroup, groupFolders } from './group-folders.ts'
import { nameProject } from './name-project.ts'

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
  const known: KnownPaths = {
    roots: byHash([...knownPaths, ...folders.flatMap(({ marker }) => marker ?? [])], hashText),
    trusted: byHash(trustedFolders, hashText),
  }
  return groupFolders(folders, hashText)
    .map((group) => identify(group, known, hashText))
    .sort((a, b) => (a.name + a.key < b.name + b.key ? -1 : 1))
}

function identify(group: FolderGroup, known: KnownPaths, hashText: HashText): ProjectIdentity {
  const { members, projectHash, hashes } = group
  const candidates = judgeClues(collectClues(group, known), hashes, hashText)
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

function byHash(paths: readonly string[], hashText: HashText): ReadonlyMap<string, string> {
  const spelled = [...new Set(paths)].flatMap(pathSpellings)
  return new Map(spelled.map((path) => [hashText(path), path]))
}

/** Roots that are known from elsewhere, in every spelling, by their SHA-256. */
interface KnownPaths {
  roots: ReadonlyMap<string, string>
  trusted: ReadonlyMap<string, string>
}

/** All that names a root for these folders. */
function collectClues(group: FolderGroup, known: KnownPaths): PathClue[] {
  const told = group.members.flatMap(({ marker, registryPath }): PathClue[] => [
    ...(marker === null ? [] : [{ path: marker, evidence: 'marker' as const }]),
    ...(registryPath === null ? [] : [{ path: registryPath, evidence: 'registry' as const }]),
  ])
  const named = group.members.flatMap(({ directories, clues = [] }): PathClue[] => [
    ...directories.map((path) => ({ path, evidence: 'directories' as const })),
    ...clues,
  ])
  const matched = [...new Set([group.projectHash ?? '', ...group.hashes])].flatMap((hash): PathClue[] => {
    const root = known.roots.get(hash)
    const trusted = known.trusted.get(hash)
    const isTold = told.some(({ path }) => root !== undefined && isSamePath(path, root))
    return [
      ...(root === undefined || isTold ? [] : [{ path: root, evidence: 'hash' as const }]),
      ...(trusted === undefined ? [] : [{ path: trusted, evidence: 'trusted-folder' as const }]),
    ]
  })
  return [...told, ...matched, ...named]
}
