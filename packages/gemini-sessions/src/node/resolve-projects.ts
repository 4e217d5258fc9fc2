import type { FolderEvidence } from '../derive/folder-evidence.ts'
import { identifyProjects, type ProjectIdentity } from '../derive/identify-projects.ts'
import type { GeminiHome } from './find-homes.ts'
import type { ProjectPlace } from './project-place.ts'
import { readKnownPaths } from './read-known-paths.ts'

/** What a session file told about its project, so far as it has been read. */
export interface ProjectHint {
  /** `DiscoveredFile.projectFolder`. */
  projectFolder: string
  projectHash: string | null
  /** `directories` of the file, or paths met in its content. */
  directories: readonly string[]
}

/**
 * The projects behind the folders of a scan (contract rule 8). Reads the registries only; call it again with more
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
      directories: own.flatMap((hint) => hint.directories),
    }
  })
  const paths = [...known.values()].flatMap(({ registry, others }) => [...registry.values(), ...others])
  return identifyProjects(folders, paths)
}
