import type { Project } from '../model/project.ts'
import type { FolderEvidence } from './folder-evidence.ts'
import { groupFolders } from './group-folders.ts'
import { projectKey } from './project-key.ts'
import { sha256Hex } from './sha256-hex.ts'

export interface ProjectIdentity extends Pick<Project, 'key' | 'name' | 'path' | 'pathSource' | 'folders'> {
  projectHash: string | null
}

/** The projects behind these folders, sorted by name (contract rule 8); `knownPaths` are roots named anywhere else. */
export function identifyProjects(
  folders: readonly FolderEvidence[],
  knownPaths: readonly string[],
): ProjectIdentity[] {
  const pathOfHash = new Map(
    [...knownPaths, ...folders.flatMap((folder) => folder.marker ?? [])].map((path) => [
      sha256Hex(path),
      path,
    ]),
  )
  return groupFolders(folders)
    .map(({ members, projectHash }) => identify(members, projectHash, pathOfHash))
    .sort((a, b) => (a.name + a.key < b.name + b.key ? -1 : 1))
}

function identify(
  members: readonly FolderEvidence[],
  projectHash: string | null,
  pathOfHash: ReadonlyMap<string, string>,
): ProjectIdentity {
  const proven = findPath(members, projectHash, pathOfHash)
  const names = members.map((member) => member.name).sort()
  const slug = names.find((name) => !/^[0-9a-f]{64}$/.test(name))
  return {
    key: projectKey(projectHash, names[0] ?? ''),
    name: (proven.path && baseName(proven.path)) ?? slug ?? `${(projectHash ?? '').slice(0, 8)}…`,
    ...proven,
    projectHash,
    folders: members.map((member) => member.folder).sort(),
  }
}

function findPath(
  members: readonly FolderEvidence[],
  projectHash: string | null,
  pathOfHash: ReadonlyMap<string, string>,
): Pick<ProjectIdentity, 'path' | 'pathSource'> {
  const directories = members.flatMap((member) => member.directories)
  const marker = firstOf(members.map((member) => member.marker))
  if (marker !== null) return { path: asSpelled(marker, directories), pathSource: 'marker' }
  const registered = firstOf(members.map((member) => member.registryPath))
  if (registered !== null) return { path: asSpelled(registered, directories), pathSource: 'registry' }
  const matched = projectHash === null ? undefined : pathOfHash.get(projectHash)
  if (matched !== undefined) return { path: matched, pathSource: 'hash' }
  const named = directories.find((path) => projectHash === null || sha256Hex(path) === projectHash)
  if (named !== undefined) return { path: named, pathSource: 'content' }
  return { path: null, pathSource: 'none' }
}

/** On Windows markers and registry are lower-cased; a session's own `directories` are not. */
function asSpelled(path: string, directories: readonly string[]): string {
  if (!/^[a-z]:[\\/]/.test(path)) return path
  return directories.find((directory) => directory.toLowerCase() === path) ?? path
}

function firstOf(values: readonly (string | null)[]): string | null {
  return values.filter((value) => value !== null).sort()[0] ?? null
}

function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path
}
