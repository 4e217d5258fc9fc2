import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs'
import { sep } from 'node:path'
import { z } from 'zod'
import { shortKey } from '../derive/identity.ts'
import {
  findTypedOnly,
  linkPastedImages,
  linkSavedOutputs,
  toSafeName,
} from '../derive/link-saved-outputs.ts'
import { readPromptLog } from '../derive/read-prompt-log.ts'
import { savedOutputMentions } from '../derive/saved-output-mentions.ts'
import type {
  NeighbourFile,
  Neighbours,
  Plan,
  RestorePoint,
  Session,
  TrackerTask,
  TypedOnly,
} from '../model/message.ts'
import { READ_ONLY_FLAGS, readSmallFile } from './files.ts'
import { MAX_LOG_BYTES, promptLogsOf } from './loose.ts'
import type { ProjectPlace } from './scan/scan.ts'

/** Contains the first calls of the chat; the file has a copy of all of it and can be very large. */
const HEAD_BYTES = 64 * 1024
/** Commit and prompt id are the last two fields. */
const TAIL_BYTES = 4 * 1024
/** `2026-11-21T20-37-54_297Z-check.mjs-write_file.json` */
const NAME = /(?:^|\/)(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)_(\d{3}Z)-(.*)-([^-/]+)\.json$/

const MAX_TASK_BYTES = 256 * 1024
const text = z.string().catch('')
const storedTaskSchema = z.object({
  id: text,
  title: text,
  description: text,
  type: text,
  status: text,
  parentId: z.string().nullable().catch(null),
  dependencies: z.array(z.unknown()).catch([]),
})

const MAX_PLAN_BYTES = 64 * 1024

/** Maximum number of files of each kind to read: the newest. */
const MAX_FILES = 200

/**
 * Everything that the CLI keeps of a session outside its file. `places`: all folders of its project, in every Gemini folder;
 * `siblings`: the sessions with the same sessionId, including this one.
 */
export function readNeighbours(
  places: readonly ProjectPlace[],
  session: Session,
  siblings: readonly Session[],
): Neighbours {
  const list = listNeighbours(places, session)
  let leftOut = 0
  const newest = (files: readonly FoundFile[]) => {
    leftOut += Math.max(files.length - MAX_FILES, 0)
    return [...files].sort(newestFirst).slice(0, MAX_FILES).sort(byPlace)
  }
  const ownTasks = newest(list.ownTasks)
  const plans = [
    ...newest(list.ownPlans).flatMap((found) => readPlan(found, 'session') ?? []),
    ...newest(list.sharedPlans).flatMap((found) => readPlan(found, 'project') ?? []),
  ]
  const tasks = [
    ...ownTasks.flatMap((found) => readTrackerTask(found, 'session') ?? []),
    ...newest(list.sharedTasks).flatMap((found) => readTrackerTask(found, 'project') ?? []),
  ]
  const unreadable = ownTasks.filter(({ file }) => !tasks.some((task) => task.file.id === file.id))
  const callIds = new Set(session.messages.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)))
  const restoring = { sessionId: session.sessionId, callIds }
  return {
    savedOutputs: list.savedOutputs,
    images: list.images,
    plans,
    tasks,
    restorePoints: newest(list.restorePoints).flatMap((found) => readRestorePoint(found, restoring) ?? []),
    typedOnly: typedOnly(places, session, siblings),
    otherFiles: [...unreadable, ...newest(list.otherFiles)].map(({ file }) => file),
    leftOut,
  }
}

function newestFirst(a: FoundFile, b: FoundFile): number {
  return b.file.modifiedTime.localeCompare(a.file.modifiedTime)
}

function byPlace(a: FoundFile, b: FoundFile): number {
  return a.place < b.place ? -1 : 1
}

/** A session known only from the log has nothing else there; a saved chat and a sub-agent were not typed. */
function typedOnly(
  places: readonly ProjectPlace[],
  session: Session,
  siblings: readonly Session[],
): TypedOnly[] {
  if (session.kind !== 'main') return []
  const entries = promptLogsOf(places).flatMap(({ path, absolutePath }) => {
    const text = readSmallFile(absolutePath, MAX_LOG_BYTES)
    return text === null ? [] : readPromptLog({ path, text }).entries
  })
  return findTypedOnly(
    session,
    siblings.filter(({ sessionId, kind }) => sessionId === session.sessionId && kind === 'main'),
    entries,
  )
}

/** A plan written in plan mode: Markdown. */
function readPlan(found: FoundFile, scope: Plan['scope']): Plan | null {
  const text = readPiece(found, MAX_PLAN_BYTES)
  return text === null
    ? null
    : { scope, file: found.file, text, isCut: found.file.sizeBytes > MAX_PLAN_BYTES }
}

/** One task of the tracker (`<6 hex>.json`, 0.32+). null if the file is not a JSON object. */
function readTrackerTask(found: FoundFile, scope: TrackerTask['scope']): TrackerTask | null {
  const stored = storedTaskSchema.safeParse(parse(readPiece(found, MAX_TASK_BYTES)))
  if (!stored.success) return null
  const { id, title, dependencies, ...rest } = stored.data
  const name = found.place.slice(found.place.lastIndexOf('/') + 1).replace(/\.json$/, '')
  return {
    scope,
    file: found.file,
    ...rest,
    id: id === '' ? name : id,
    title: title === '' ? name : title,
    dependencies: dependencies.filter((dependency) => typeof dependency === 'string'),
  }
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return undefined
  }
}

/** What determines whether a restore point belongs to a session. */
interface RestoringSession {
  sessionId: string
  callIds: ReadonlySet<string>
}

/**
 * A file-edit restore point, from its name and the ends of its file. Its prompt id is `<sessionId>########<n>`; without one, the calls in
 * its copy of the chat determine the session. null: it belongs to another session.
 */
function readRestorePoint(found: FoundFile, session: RestoringSession): RestorePoint | null {
  const tail = readPiece(found, -TAIL_BYTES) ?? ''
  const scope = scopeOf(found, tail, session)
  if (scope === null) return null
  return { scope, file: found.file, ...readName(found.place), commit: lastText(tail, 'commitHash') }
}

function scopeOf(
  found: FoundFile,
  tail: string,
  { sessionId, callIds }: RestoringSession,
): RestorePoint['scope'] | null {
  const owner = /^(.+)#{8}\d+$/.exec(lastText(tail, 'messageId') ?? '')?.[1]
  if (owner !== undefined) return owner === sessionId ? 'session' : null
  const calls = [...(readPiece(found, HEAD_BYTES) ?? '').matchAll(/"callId":\s*"([^"\\]+)"/g)]
  if (calls.length === 0) return 'project'
  return calls.some(([, id]) => callIds.has(id ?? '')) ? 'session' : null
}

/** The last string field with this name near the end of a JSON text. */
function lastText(tail: string, field: string): string | null {
  const matches = [...tail.matchAll(new RegExp(`"${field}":\\s*"([^"\\\\]*)"`, 'g'))]
  return matches.at(-1)?.[1] ?? null
}

function readName(place: string): Pick<RestorePoint, 'time' | 'toolName' | 'targetName'> {
  const match = NAME.exec(place)
  if (match === null) return { time: null, toolName: null, targetName: null }
  const [, day, hours, minutes, seconds, rest, targetName = null, toolName = null] = match
  const time = `${day}${hours}:${minutes}:${seconds}.${rest}`
  return { time: Number.isNaN(Date.parse(time)) ? null : time, toolName, targetName }
}

/** Text of the first (if negative, last) `bytes` bytes of a listed file; null if it cannot be read. */
function readPiece(found: FoundFile, bytes: number): string | null {
  const opened = openNeighbour(found)
  if (opened === null) return null
  const { descriptor, sizeBytes } = opened
  try {
    const length = Math.min(Math.abs(bytes), sizeBytes)
    const buffer = Buffer.alloc(length)
    const read = readSync(descriptor, buffer, 0, length, bytes < 0 ? sizeBytes - length : 0)
    // A character split by the limit is left out.
    return new TextDecoder().decode(buffer.subarray(0, read), { stream: true })
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}

/** A file beside the sessions, from a listing. */
export interface FoundFile {
  file: NeighbourFile
  /** Absolute path of the project's folder, and path of the file in it. */
  folder: string
  place: string
}

/** The files beside a session, from names and stat alone, and which of them its records refer to. */
export interface NeighbourList {
  savedOutputs: Neighbours['savedOutputs']
  images: Neighbours['images']
  ownPlans: FoundFile[]
  sharedPlans: FoundFile[]
  ownTasks: FoundFile[]
  sharedTasks: FoundFile[]
  restorePoints: FoundFile[]
  otherFiles: FoundFile[]
  /** Every file in this list by id: no other file is ever opened for the session. */
  byId: ReadonlyMap<string, FoundFile>
}

/** Names that a session's own folder cannot have, because they are used in the project's folder. */
const RESERVED = new Set([
  'chats',
  'checkpoints',
  'images',
  'logs',
  'memory',
  'plans',
  'tasks',
  'tool-outputs',
  'tracker',
])

/** Lists the files beside the sessions of one project (all its folders, in every Gemini folder); opens nothing. */
export function listNeighbours(allPlaces: readonly ProjectPlace[], session: Session): NeighbourList {
  const places = allPlaces.filter(({ artifacts }) => artifacts === undefined)
  const outputs = places.flatMap((place) => outputFiles(place, session))
  const pictures = places.flatMap((place) => listFolder(place, 'images'))
  const savedOutputs = linkSavedOutputs(
    session.messages,
    outputs.map(({ found, isOwn }) => ({ ...found, isOwn })),
  )
  const images = linkPastedImages(
    session.messages,
    pictures.map(({ file }) => file),
  )
  const lists = {
    ownPlans: [...inOwnFolder(places, session, 'plans'), ...allPlaces.flatMap(listArtifacts)],
    sharedPlans: places.flatMap((place) => listFolder(place, 'plans')),
    ownTasks: inOwnFolder(places, session, 'tracker'),
    sharedTasks: places.flatMap((place) => listFolder(place, 'tracker')),
    restorePoints: places.flatMap((place) => listFolder(place, 'checkpoints', isRestorePoint)),
    otherFiles: ['tasks', ''].flatMap((inner) => inOwnFolder(places, session, inner)),
  }
  const linkedIds = new Set([...savedOutputs, ...images].flatMap(({ file }) => file?.id ?? []))
  const linked = [...outputs.map(({ found }) => found), ...pictures].filter(({ file }) =>
    linkedIds.has(file.id),
  )
  const all = [...linked, ...Object.values(lists).flat()]
  return { savedOutputs, images, ...lists, byId: new Map(all.map((found) => [found.file.id, found])) }
}

/** Where whole outputs can be: the session's own folders, those its records refer to, and (before 0.29) loose. */
function outputFiles(place: ProjectPlace, session: Session): { found: FoundFile; isOwn: boolean }[] {
  const own = `session-${toSafeName(session.sessionId)}`
  const isOwn = (name: string) => name === own || name.startsWith(`${own}________`)
  const named = new Set(
    session.messages
      .flatMap(({ toolCalls }) => toolCalls.flatMap(savedOutputMentions))
      .flatMap((path) => /\/tool-outputs\/(session-[^/]+)\/[^/]+$/.exec(path)?.[1] ?? []),
  )
  if (session.parentSessionId !== null) named.add(`session-${toSafeName(session.parentSessionId)}`)
  const folders = listSubfolders(place, 'tool-outputs').filter((name) => isOwn(name) || named.has(name))
  const inFolders = folders.flatMap((name) =>
    listFolder(place, `tool-outputs/${name}`).map((found) => ({ found, isOwn: isOwn(name) })),
  )
  const loose = [
    ...listFolder(place, 'tool-outputs'),
    ...listFolder(place, 'tool_output'),
    ...listFolder(place, '', (name) => /\.(txt|output)$/.test(name)),
  ]
  return [...inFolders, ...loose.map((found) => ({ found, isOwn: false }))]
}

function inOwnFolder(places: readonly ProjectPlace[], { sessionId }: Session, inner: string): FoundFile[] {
  const name = toSafeName(sessionId)
  if (name === '' || RESERVED.has(name.toLowerCase())) return []
  return places.flatMap((place) => listFolder(place, inner === '' ? name : `${name}/${inner}`))
}

function listArtifacts(place: ProjectPlace): FoundFile[] {
  const { artifacts } = place
  return artifacts === undefined ? [] : listFolder(place, artifacts, (name) => name.endsWith('.md'))
}

function isRestorePoint(name: string): boolean {
  return name.endsWith('.json') && !/^checkpoint[-.]/.test(name)
}

/**
 * The regular files of one folder in a project's (`inner`, '' for the project's folder itself), by name. Skips links, pipes and devices; a
 * folder reached through a link has no files.
 */
function listFolder(
  place: ProjectPlace,
  inner: string,
  isWanted: (name: string) => boolean = () => true,
): FoundFile[] {
  const folderOf = new Map<string, string>()
  for (const folder of foldersOf(place)) {
    const files = listEntries(folder, inner).filter((entry) => entry.isFile() && isWanted(entry.name))
    for (const { name } of files) if (!folderOf.has(name)) folderOf.set(name, folder)
  }
  return [...folderOf].flatMap(
    ([name, folder]) => measure(place, folder, inner === '' ? name : `${inner}/${name}`) ?? [],
  )
}

/** Archived copies of the project's folder come after the folder itself. */
function foldersOf({ folder, keptFolder }: ProjectPlace): string[] {
  return keptFolder === undefined ? [folder] : [folder, keptFolder]
}

/** Names of its subfolders. */
function listSubfolders(place: ProjectPlace, inner: string): string[] {
  const entries = foldersOf(place).flatMap((folder) => listEntries(folder, inner))
  return [...new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))]
}

function measure({ home, folder: ownFolder }: ProjectPlace, folder: string, place: string): FoundFile | null {
  try {
    const { size, mtimeMs } = lstatSync(`${folder}/${place}`)
    const path = `${ownFolder.slice(home.length + 1)}/${place}`
    const modifiedTime = new Date(mtimeMs).toISOString()
    return {
      folder,
      place,
      file: { id: shortKey(`${home}\n${path}`), home, path, sizeBytes: size, modifiedTime },
    }
  } catch {
    return null
  }
}

/**
 * The entries of one folder in a project's (`inner`, '' for the project's folder itself), by name; empty if it is reached through a link or
 * cannot be read.
 */
function listEntries(folder: string, inner: string): Dirent[] {
  try {
    const path = inner.split('/').reduce((parent, name) => {
      if (!lstatSync(parent).isDirectory()) throw new Error('not a folder of its own')
      return name === '' ? parent : `${parent}/${name}`
    }, folder)
    if (!lstatSync(path).isDirectory()) return []
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // Most sessions have no such folder; an unreadable one has nothing to show.
    return []
  }
}

/** A file that is open for reading. */
export interface OpenedNeighbour {
  /** The caller closes it. */
  descriptor: number
  sizeBytes: number
}

/**
 * Opens a listed file for reading. null: it is gone, not a regular file, or now outside the project's own folder. Checked on the open file,
 * so that a replacement cannot slip in.
 */
export function openNeighbour({
  folder,
  place,
}: Pick<FoundFile, 'folder' | 'place'>): OpenedNeighbour | null {
  const path = `${folder}/${place}`
  let descriptor: number
  try {
    descriptor = openSync(path, READ_ONLY_FLAGS)
  } catch {
    return null
  }
  try {
    const opened = fstatSync(descriptor, { bigint: true })
    const realPath = realpathSync(path)
    const named = lstatSync(realPath, { bigint: true })
    const isInside = realPath.startsWith(`${realpathSync(folder)}${sep}`)
    const isSame = named.ino === opened.ino && named.dev === opened.dev
    if (opened.isFile() && isInside && isSame) return { descriptor, sizeBytes: Number(opened.size) }
  } catch {
    // Gone in the meantime.
  }
  closeSync(descriptor)
  return null
}

/** A file that the CLI keeps beside the session logs, with what shows whether it has changed. */
export interface BesideFile {
  /** Absolute path of the project's folder, and path of the file in it. */
  folder: string
  place: string
  kind: 'output' | 'picture' | 'plan' | 'task' | 'restore-point' | 'other'
  /** Its session, from a folder name; null: only in records. */
  sessionId: string | null
  sizeBytes: number
  mtimeNs: string
  ctimeNs: string
  inode: string
}

/** The CLI nests `plans`, `tracker` and `tasks` in a session's own folder; deeper content is foreign, but belongs to it. */
const MOST_LEVELS = 4

/** Names of the project's own folders, which no session uses. */
const OF_PROJECT: ReadonlyMap<string, BesideFile['kind'] | null> = new Map([
  ['chats', null],
  ['checkpoints', 'restore-point'],
  ['images', 'picture'],
  ['logs', null],
  ['memory', null],
  ['plans', 'plan'],
  ['tasks', null],
  ['tool-outputs', 'output'],
  ['tool_output', 'output'],
  ['tracker', 'task'],
])

/**
 * What the CLI keeps beside the logs of these sessions in one folder of a project, and removes in its clean-up: whole outputs, images,
 * plans, tasks, restore points, and the sessions' own folders. Opens nothing, follows no link.
 */
export function listBeside({ folder }: ProjectPlace, sessionIds: Iterable<string>): BesideFile[] {
  const idByName = new Map([...sessionIds].map((id) => [toSafeName(id), id]))
  const found: BesideFile[] = []
  const walk = (inner: string, about: Pick<BesideFile, 'kind' | 'sessionId'>, levels: number) => {
    for (const entry of listEntries(folder, inner)) {
      const place = `${inner}/${entry.name}`
      if (entry.isFile()) found.push(...measureBeside(folder, place, about))
      else if (entry.isDirectory() && levels > 1)
        walk(
          place,
          { kind: kindOf(entry.name, about.kind), sessionId: ownerOf(entry.name, about) },
          levels - 1,
        )
    }
  }
  const ownerOf = (name: string, { kind, sessionId }: Pick<BesideFile, 'kind' | 'sessionId'>) => {
    // A second session with the same id has `________<n>` appended to its name.
    const [, owner = ''] = kind === 'output' ? (/^session-(.*?)(?:_{8}\d+)?$/.exec(name) ?? []) : []
    return sessionId ?? idByName.get(owner) ?? null
  }
  for (const entry of listEntries(folder, '')) {
    const { name } = entry
    if (entry.isFile() && /\.(txt|output)$/.test(name))
      // Versions 0.26 to 0.28 saved outputs directly in the project's folder.
      found.push(...measureBeside(folder, name, { kind: 'output', sessionId: null }))
    if (!entry.isDirectory()) continue
    const kind = OF_PROJECT.get(name.toLowerCase())
    if (kind) walk(name, { kind, sessionId: null }, MOST_LEVELS)
    const sessionId = kind === undefined ? idByName.get(name) : undefined
    if (sessionId !== undefined) walk(name, { kind: 'other', sessionId }, MOST_LEVELS)
  }
  return found
}

function kindOf(name: string, kind: BesideFile['kind']): BesideFile['kind'] {
  return kind === 'other' ? (OF_PROJECT.get(name) ?? kind) : kind
}

function measureBeside(
  folder: string,
  place: string,
  about: Pick<BesideFile, 'kind' | 'sessionId'>,
): BesideFile[] {
  try {
    const { size, mtimeNs, ctimeNs, ino } = lstatSync(`${folder}/${place}`, { bigint: true })
    const stamp = { mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) }
    return [{ folder, place, ...about, sizeBytes: Number(size), ...stamp }]
  } catch {
    // gone in the meantime
    return []
  }
}
