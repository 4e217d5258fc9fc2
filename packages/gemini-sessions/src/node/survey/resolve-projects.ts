import type { PathClue } from '../../derive/path-clues/path-clue.ts'
import type { FolderEvidence } from '../../derive/projects/folder-evidence.ts'
import { identifyProjects, type ProjectIdentity } from '../../derive/projects/identify-projects.ts'
import { hashText } from '../files/hash-text.ts'
import type { GeminiHome } from '../scan/find-homes.ts'
import type { ProjectPlace } from '../scan/project-place.ts'
import { readKnownPaths } from './read-known-paths.ts'

/** What a session file told about its project, so far as it has been read. */
export interface ProjectHint {
  /** `DiscoveredFile.projectFolder`. */
  projectFolder: string
  projectHash: string | null
  /** `directories` of the file. */
  directories: readonly string[]
  /** Workspace folders that its session context names. */
  contextPaths?: readonly string[]
  /** What else names a root. */
  clues?: readonly PathClue[]
}

/**
 * The projects behind the folders of a scan: a hash folder and a slug folder of one root are one. Reads the registries only; call it again with more
 * hints as files are read: on POSIX the keys stay, paths and names get better.
 */
export function resolveProjects(
  homes: readonly GeminiHome[],
  places: readonly ProjectPlace[],
  hints: readonly ProjectHint[],
): ProjectIdentity[] {
  const known = new Map(homes.map((home) => [home.path, readKnownPaths(home)]))
  const hintsByFolder = new Map<string, ProjectHint[]>()
  for (const hint of hints) {
    const own = hintsByFolder.get(hint.projectFolder)
    if (own) own.push(hint)
    else hintsByFolder.set(hint.projectFolder, [hint])
  }
  const folders = places.map(({ home, folder, name, marker }): FolderEvidence => {
    const own = hintsByFolder.get(folder) ?? []
    return {
      folder,
      name,
      marker,
      registryPath: known.get(home)?.registry.get(name) ?? null,
      fileHashes: own.flatMap((hint) => hint.projectHash ?? []),
      directories: distinct(own.flatMap((hint) => hint.directories)),
      clues: [
        ...distinct(own.flatMap(({ contextPaths = [] }) => contextPaths)).map(
          (path): PathClue => ({ path, evidence: 'session-context' }),
        ),
        ...own.flatMap(({ clues = [] }) => clues),
      ],
    }
  })
  const roots = [...known.values()].flatMap(({ registry, history }) => [...registry.values(), ...history])
  const trusted = [...known.values()].flatMap((paths) => paths.trusted)
  return identifyProjects(folders, roots, trusted, hashText)
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}
