import { z } from 'zod'
import { parseJsonWithComments } from '../files/parse-json-with-comments.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import type { GeminiHome } from '../scan/find-homes.ts'
import { HomeReader } from '../scan/home-reader.ts'
import { readMarker } from '../scan/read-marker.ts'

const MAX_REGISTRY_BYTES = 16 * 1024 * 1024

/** Project roots that a home knows of, apart from the markers in its project folders. */
export interface KnownPaths {
  /** `projects.json` (0.29+): name of the project's folder -> root. */
  registry: ReadonlyMap<string, string>
  /** Roots in the markers under `history/`, also of projects without a session. */
  history: string[]
  /** `trustedFolders.json`: folders that the user was asked about, and those above that were trusted instead. */
  trusted: string[]
}

const registrySchema = z.object({ projects: z.record(z.string(), z.unknown()) })
const trustedSchema = z.record(z.string(), z.unknown())

export function readKnownPaths(home: GeminiHome): KnownPaths {
  const { data: registry } = registrySchema.safeParse(readJson(`${home.path}/projects.json`))
  const { data: trusted } = trustedSchema.safeParse(readJson(`${home.path}/trustedFolders.json`))
  const slugs = Object.entries(registry?.projects ?? {}).flatMap(([path, slug]) =>
    typeof slug === 'string' ? [[slug, path] as const] : [],
  )
  return { registry: new Map(slugs), history: historyMarkers(home), trusted: Object.keys(trusted ?? {}) }
}

/** As they were read last, for the time in which the system refuses to: names of projects do not go with it. */
const lastRead = new Map<string, string | null>()

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
