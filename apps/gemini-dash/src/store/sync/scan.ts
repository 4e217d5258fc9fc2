import { scanConversations } from '@gemini-dash/antigravity-sessions/scan'
import { isUnchanged, type StoredHome, stampOf } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'
import {
  type DiscoveredFile,
  type GeminiHome,
  type ProjectPlace,
  type Scan,
  type ScannedConversation,
  type SkippedEntry,
  scanHomes,
} from 'gemini-sessions/node'

/** Files of Gemini CLI and Antigravity CLI in these folders. */
export async function scanAll(homes: readonly GeminiHome[]): Promise<Scan> {
  const scan = await scanHomes(homes)
  const { conversations, refused } = await scanConversations(homes)
  return { ...scan, conversations, skipped: [...scan.skipped, ...refused.map(toSkipped)] }
}

function toSkipped({ path, code }: { path: string; code: string }): SkippedEntry {
  return {
    path,
    code: 'unreadable',
    reason: `The system does not allow reading it (${code}).`,
    advice: 'Check its permissions. It is read as soon as possible.',
    needsAttention: true,
    errno: code,
  }
}

/** All files of conversations. */
export function conversationFiles({ conversations = [] }: Scan): DiscoveredFile[] {
  return conversations.flatMap(({ files }) => files)
}

/** Whether two scans found the same files in the same folders, none of them written in between. */
export function isSameScan(a: Scan, b: Scan): boolean {
  return (
    areSame(a.files, b.files, isSameFile) &&
    areSame(a.projects, b.projects, isSamePlace) &&
    areSame(a.conversations ?? [], b.conversations ?? [], isSameConversation)
  )
}

function isSameFile(a: DiscoveredFile, b: DiscoveredFile): boolean {
  return isUnchanged(stampOf(a), b)
}

function isSameConversation(a: ScannedConversation, b: ScannedConversation): boolean {
  return a.home === b.home && a.id === b.id && areSame(a.files, b.files, isSameFile)
}

function isSamePlace(a: ProjectPlace, b: ProjectPlace): boolean {
  return (
    a.folder === b.folder &&
    a.marker === b.marker &&
    areSame(typedLogs(a), typedLogs(b), isSameFile) &&
    areSame(a.checkpoints, b.checkpoints, isSameFile)
  )
}

function areSame<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index]
      return other !== undefined && isSame(item, other)
    })
  )
}

interface KeptScan {
  scan: Scan
  /** Places that could not be listed, and the files of the previous scan that are assumed to still exist there. Absolute paths. */
  places: UnreadFile[]
  files: UnreadFile[]
}

/**
 * Files in a folder that cannot be listed, or in a home whose projects folder is gone entirely (a disk that is not mounted), are not
 * considered deleted: they are assumed to be unchanged since they were last seen.
 */
export function keepUnlisted(before: Scan, now: Scan, homes: readonly GeminiHome[]): KeptScan {
  const refused = now.skipped.flatMap(({ path, errno }) =>
    errno === undefined ? [] : [{ path, code: errno }],
  )
  const places = [...refused, ...goneHomes(before, now, homes)]
  if (places.length === 0) return { scan: now, places, files: [] }
  const placeOf = (path: string) =>
    places.find((place) => path === place.path || path.startsWith(`${place.path}/`))
  const found = new Set(now.files.map(({ absolutePath }) => absolutePath))
  const kept = before.files.filter(
    ({ absolutePath }) => !found.has(absolutePath) && placeOf(absolutePath) !== undefined,
  )
  const codeOf = ({ absolutePath: path }: DiscoveredFile) => ({ path, code: placeOf(path)?.code ?? '' })
  const files = inOrder([...now.files, ...kept], before.files, ({ absolutePath }) => absolutePath)
  const projects = withKeptProjects(before, now, (path) => placeOf(path) !== undefined)
  return { scan: { ...now, files, projects }, places, files: kept.map(codeOf) }
}

/** The places that contain none of the files. */
export function placesWithout(files: readonly UnreadFile[], places: readonly UnreadFile[]): UnreadFile[] {
  return places.filter(
    ({ path }) => !files.some((file) => file.path === path || file.path.startsWith(`${path}/`)),
  )
}

/** Homes that had projects, and whose projects folder is gone. */
function goneHomes(before: Scan, now: Scan, homes: readonly GeminiHome[]): UnreadFile[] {
  return homes
    .filter(({ path }) => {
      const isOfHome = ({ home }: { home: string }) => home === path
      return before.projects.some(isOfHome) && !now.projects.some(isOfHome)
    })
    .filter(({ tmpPath }) => now.missing?.includes(tmpPath))
    .map(({ tmpPath }) => ({ path: tmpPath, code: 'ENOENT' }))
}

function withKeptProjects(before: Scan, now: Scan, isKept: (path: string) => boolean): Scan['projects'] {
  const known = new Map(before.projects.map((place) => [place.folder, place]))
  const found = new Set(now.projects.map(({ folder }) => folder))
  const projects = now.projects.map((place) => {
    const earlier = known.get(place.folder)
    if (earlier === undefined) return place
    const isUnknown = (name: string) => isKept(`${place.folder}/${name}`)
    const names = new Set(place.checkpoints.map(({ absolutePath }) => absolutePath))
    const checkpoints = earlier.checkpoints.filter(
      ({ absolutePath }) => !names.has(absolutePath) && isKept(absolutePath),
    )
    return {
      ...place,
      marker: place.marker ?? (isUnknown('.project_root') ? earlier.marker : null),
      logs: place.logs ?? (isUnknown('logs.json') ? earlier.logs : null),
      checkpoints: [...place.checkpoints, ...checkpoints],
    }
  })
  const kept = before.projects.filter(({ folder }) => !found.has(folder) && isKept(folder))
  return inOrder([...projects, ...kept], before.projects, ({ folder }) => folder)
}

/** Items of the previous scan keep their order, so that nothing appears to have changed. */
function inOrder<Item>(
  items: readonly Item[],
  before: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const places = new Map(before.map((item, place) => [nameOf(item), place]))
  const placeOf = (item: Item) => places.get(nameOf(item)) ?? Number.POSITIVE_INFINITY
  return items
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ item }) => item)
}

/** What an earlier run found; null: unknown. */
export function storedScan({ folders, groups }: StoredHome): Scan | null {
  if (folders.length === 0) return null
  const projects = folders.map(
    ({ searched: _, ...folder }): ProjectPlace => ({ ...folder, logs: null, checkpoints: [] }),
  )
  const placeOf = new Map(projects.map((place) => [place.folder, place]))
  const files: DiscoveredFile[] = []
  for (const { kind, files: ends } of groups)
    for (const { file } of ends) {
      const place = placeOf.get(file.projectFolder)
      if (place === undefined || file.kept !== undefined) continue
      if (kind === 'prompts') place.logs = file
      else if (kind === 'chat') place.checkpoints.push(file)
      else files.push(file)
    }
  return { projects, files: files.sort((a, b) => (a.absolutePath < b.absolutePath ? -1 : 1)), skipped: [] }
}

/** The prompt logs in a project folder, including archived versions. */
export function typedLogs({ logs, earlierLogs = [] }: ProjectPlace): DiscoveredFile[] {
  return logs === null ? earlierLogs : [logs, ...earlierLogs]
}
