import { z } from 'zod'
import type { PathClue } from '../../derive/path-clues/path-clue.ts'
import type { FolderEvidence } from '../../derive/projects/folder-evidence.ts'
import { identifyProjects, type ProjectIdentity } from '../../derive/projects/identify-projects.ts'
import { hashText } from '../files/hash-text.ts'
import { parseJsonWithComments } from '../files/parse-json-with-comments.ts'
import { readSmallFile } from '../files/read-bytes.ts'
import type { GeminiHome } from '../scan/find-homes.ts'
import { HomeReader } from '../scan/home-reader.ts'
import { readMarker } from '../scan/read-marker.ts'
import type { ProjectPlace } from '../scan/scan.ts'

const MAX_REGISTRY_BYTES = 16 * 1024 * 1024
const registrySchema = z.object({ projects: z.record(z.string(), z.unknown()) })
const trustedSchema = z.record(z.string(), z.unknown())
/** As they were read last, for the time in which the system refuses to: names of projects do not go with it. */
const lastRead = new Map<string, string | null>()

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
 * hints as files are read: keys stay but where a hint proves that two folders are one; paths and names get better.
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
      registryPaths: known.get(home)?.registry.get(name) ?? [],
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
  const roots = [...known.values()].flatMap(({ registry, history }) => [
    ...[...registry.values()].flat(),
    ...history,
  ])
  const trusted = [...known.values()].flatMap((paths) => paths.trusted)
  return identifyProjects(folders, roots, trusted, hashText)
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}

/** Project roots that a home knows of, apart from the markers in its project folders. */
interface KnownPaths {
  /** `projects.json` (0.29+): name of the project's folder -> its root, or several where somebody edited the file. */
  registry: ReadonlyMap<string, string[]>
  /** Roots in the markers under `history/`, also of projects without a session. */
  history: string[]
  /** `trustedFolders.json`: folders that the user was asked about, and those above that were trusted instead. */
  trusted: string[]
}

function readKnownPaths(home: GeminiHome): KnownPaths {
  const { data: registry } = registrySchema.safeParse(readJson(`${home.path}/projects.json`))
  const { data: trusted } = trustedSchema.safeParse(readJson(`${home.path}/trustedFolders.json`))
  const pathsBySlug = new Map<string, string[]>()
  for (const [path, slug] of Object.entries(registry?.projects ?? {})) {
    if (typeof slug !== 'string' || path.trim() === '') continue
    pathsBySlug.set(slug, [...(pathsBySlug.get(slug) ?? []), path])
  }
  return { registry: pathsBySlug, history: historyMarkers(home), trusted: Object.keys(trusted ?? {}) }
}

function readJson(path: string): unknown {
  let isRefused = false
  const found = readSmallFile(path, MAX_REGISTRY_BYTES, () => {
    isRefused = true
  })
  const text = isRefused ? (lastRead.get(path) ?? null) : found
  lastRead.set(path, text)
  return text === null ? undefined : parseJsonWithComments(text)
}

function historyMarkers(home: GeminiHome): string[] {
  const history = HomeReader.open({ ...home, tmpPath: `${home.path}/history` }, [])
  const folders = history?.list(`${home.path}/history`).filter((entry) => entry.kind === 'folder') ?? []
  return folders.flatMap((folder) => readMarker(folder.path) ?? [])
}
