import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { dirname } from 'node:path/posix'
import { CONVERSATION_FOLDER, listArtifacts, scanConversations } from '@gemini-dash/antigravity-sessions/scan'
import {
  type Archive,
  ArchiveWriter,
  type FileLabel,
  forgetFiles,
  type KeptFile,
  readVersion,
  type TakenStamp,
  takeFile,
  UnknownCodec,
} from '@gemini-dash/archive'
import { readSessionPath } from 'gemini-sessions'
import {
  type BesideFile,
  type DiscoveredFile,
  type GeminiHome,
  listBeside,
  type ProjectPlace,
  readHeads,
  type ScannedConversation,
  scanHomes,
} from 'gemini-sessions/node'
import { z } from 'zod'
import type { ForgottenSessions } from '../own-data/kept-list.ts'
import { isMissing } from './bring-out.ts'
import { originalPath } from './gone-list.ts'

/** What is to be erased, and never archived again. */
export interface ForgetRequest {
  /** Session ids that no other session has. */
  sessionIds: string[]
  /** Files of sessions and files beside them, by their paths in their homes. */
  files: { home: string; path: string }[]
}

/** Erases these from an archive; the caller holds it exclusively. Returns the number of files erased. */
export async function forgetKept(
  archive: Archive,
  home: GeminiHome,
  { sessionIds, files }: ForgetRequest,
): Promise<number> {
  // first complete what a killed process began: the rows it saved are archived again after their log is erased
  await forgetFiles(archive, [])
  archive.refresh()
  await keepRests(archive)
  const paths = new Set(files.flatMap(({ home: of, path }) => (of === home.path ? [originalPath(path)] : [])))
  const folders = new Set([...paths].map(projectOf))
  const found: KeptFile[] = []
  for (const file of archive.manifest.files()) {
    const isOwn = paths.has(file.path) || idsOf(file).some((id) => sessionIds.includes(id))
    if (isOwn || (folders.has(projectOf(file.path)) && (await namesAny(archive, file, sessionIds))))
      found.push(file)
  }
  writeRests(archive, await restsOfLogs(archive, home, found, sessionIds))
  await forgetFiles(
    archive,
    found.map(({ id }) => id),
  )
  archive.refresh()
  await keepRests(archive)
  archive.tidyIndex([])
  return found.length
}

/** Names by which they are recognized again. */
export function namesOfForgotten({ sessionIds, files }: ForgetRequest): string[] {
  return [
    ...sessionIds.map((id) => `id\n${id}`),
    ...files.map(({ home, path }) => `path\n${home}\n${originalPath(path)}`),
  ]
}

/** Whether this was erased, or contains something of a session that was. */
export function isForgotten(store: ForgottenSessions, home: GeminiHome, source: KeepSource): boolean {
  if (store.isEmpty) return false
  const { path, label, folder, place } = source
  const ids = [...idsOf({ path, label }), ...idsInside(label.kind ?? '', join(folder, place))]
  return store.has(`path\n${home.path}\n${path}`) || ids.some((id) => store.has(`id\n${id}`))
}

function projectOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

function idsOf({ path, label }: Pick<KeptFile, 'path' | 'label'>): string[] {
  return [label.sessionId ?? null, readSessionPath(path).parentId].flatMap((id) => id ?? [])
}

/** Only the content of prompt logs and restore points names their sessions. */
function idsInside(kind: string, path: string): string[] {
  if (kind !== 'prompts' && kind !== 'restore-point') return []
  try {
    const text = readFileSync(path, 'utf8')
    return [...text.matchAll(/"(?:sessionId|messageId)":\s*"([^"#]+)/g)].map(([, id = '']) => id)
  } catch {
    return []
  }
}

/** Logs of other sessions are their own, whatever ids they contain. */
async function namesAny(archive: Archive, file: KeptFile, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0 || ['session', 'subagent', 'project'].includes(file.label.kind ?? '')) return false
  for (const version of file.versions) {
    const text = await textOf(archive, version)
    if (text === null || ids.some((id) => text.includes(id))) return true
  }
  return false
}

/** null: it is damaged and its content unknown. @throws `UnknownCodec` if only a newer Node.js can read it */
async function textOf(archive: Archive, version: KeptFile['versions'][number]): Promise<string | null> {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of readVersion(archive, version)) pieces.push(piece)
  } catch (error) {
    if (error instanceof UnknownCodec) throw error
    return null
  }
  return Buffer.concat(pieces).toString()
}

const restOfLogSchema = z.object({
  path: z.string(),
  label: z.record(z.string(), z.string().nullable()),
  lastSeen: z.string(),
  text: z.string(),
})
type RestOfLog = z.infer<typeof restOfLogSchema>

/** A prompt log covers all sessions of a project: if it is missing in the home, the rows of other sessions must be saved. */
async function restsOfLogs(
  archive: Archive,
  home: GeminiHome,
  files: readonly KeptFile[],
  ids: readonly string[],
): Promise<RestOfLog[]> {
  const rests: RestOfLog[] = []
  for (const file of files) {
    if (file.label.kind !== 'prompts' || !isMissing(`${home.path}/${file.path}`)) continue
    // including rows that it lost earlier
    const rows = new Map<string, unknown>()
    for (const version of file.versions)
      for (const row of parseRows((await textOf(archive, version)) ?? '')) rows.set(JSON.stringify(row), row)
    const left = [...rows.values()].filter((row) => !ids.includes(sessionIdOf(row)))
    const { path, label, lastSeen } = file
    if (left.length > 0) rests.push({ path, label, lastSeen, text: JSON.stringify(left) })
  }
  return rests
}

function parseRows(text: string): unknown[] {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows : []
  } catch {
    return []
  }
}

function sessionIdOf(row: unknown): string {
  return row !== null && typeof row === 'object' && 'sessionId' in row ? String(row.sessionId) : ''
}

/** On disk before the logs are erased, so that the process that completes the erasure saves the rows. */
const RESTS = 'rests.json'

function writeRests({ folder }: Archive, rests: readonly RestOfLog[]): void {
  if (rests.length === 0) return
  const path = join(folder, RESTS)
  writeFileSync(`${path}.new`, JSON.stringify(rests), { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}

async function keepRests(archive: Archive): Promise<void> {
  const path = join(archive.folder, RESTS)
  if (!existsSync(path)) return
  for (const rest of z.array(restOfLogSchema).parse(parseRows(readFileSync(path, 'utf8'))))
    await keepRest(archive, rest)
  rmSync(path)
}

async function keepRest(archive: Archive, { path, label, lastSeen, text }: RestOfLog): Promise<void> {
  const place = join(archive.folder, 'rest')
  writeFileSync(place, text, { mode: 0o600 })
  const writer = new ArchiveWriter(archive, { maxBytes: Number.POSITIVE_INFINITY, nowMs: Date.now() })
  const descriptor = openSync(place, 'r')
  try {
    const file = writer.file(path, label)
    const note = await takeFile(writer, { descriptor, isLog: false }, { file, isCertain: false }, lastSeen)
    if (note !== null) await writer.note(note)
    await writer.commit()
  } finally {
    closeSync(descriptor)
    rmSync(place, { force: true })
    await writer.close(Date.now())
  }
}

/** A conversation written more recently than this is still being written. */
export const REST_MS = 60_000

/** A file that belongs to sessions. */
export interface KeepSource {
  /** Relative to its home. */
  path: string
  /** Absolute path of the folder that must contain it, and its path below that. */
  folder: string
  place: string
  stamp: TakenStamp
  label: FileLabel
  /** The conversation that the database belongs to: its rows are archived, not the file. */
  conversation?: string
}

/** What is to be archived of a home now. */
interface FoundSources {
  sources: KeepSource[]
  /** Number of conversations that are being written; they are archived once they are idle. */
  moving: number
}

/**
 * Everything in a home that makes up its sessions: logs and those of sub-agents, prompt logs, saved chats, what the CLI keeps beside them,
 * and what identifies the project of a folder. By names and stat; for new logs (unknown to `labelOf`) the first bytes are read. null: the
 * home is missing now.
 */
export async function findSources(
  home: GeminiHome,
  labelOf: (path: string) => FileLabel | null,
): Promise<FoundSources | null> {
  const scan = await scanHomes([home])
  if (scan.missing !== undefined) return null
  const { conversations } = await scanConversations([home])
  const logs = await sessionLogs(scan.files, labelOf)
  const idsByFolder = new Map<string, Set<string>>()
  for (const { folder, path, label } of logs) {
    const ids = idsByFolder.get(folder) ?? new Set()
    idsByFolder.set(folder, ids)
    for (const id of [label.sessionId, readSessionPath(path).parentId]) if (id) ids.add(id)
  }
  const resting = conversations.filter(isAtRest)
  const sources = [
    ...logs,
    ...resting.flatMap(ofConversation),
    ...scan.projects.flatMap((project) => ofProject(home, project, idsByFolder.get(project.folder) ?? [])),
  ]
  return { sources, moving: conversations.length - resting.length }
}

/**
 * The same for one session, by the absolute path of its file: its logs and those of its sub-agents, its files beside them, and the marker
 * of its project. null: no such file in this home, in which links are not followed.
 */
export async function findSessionSources(
  home: GeminiHome,
  labelOf: (path: string) => FileLabel | null,
  file: string,
): Promise<FoundSources | null> {
  const { files, projects } = await scanHomes([home])
  const own = files.find(
    (each) => basename(each.path) === basename(file) && isSameFile(each.absolutePath, file),
  )
  if (own === undefined) return null
  const logs = await sessionLogs(
    files.filter(({ projectFolder }) => projectFolder === own.projectFolder),
    labelOf,
  )
  const id = logs.find(({ path }) => path === own.path)?.label.sessionId ?? null
  const beside = projects
    .filter(({ folder }) => folder === own.projectFolder)
    .flatMap((project) => ofProject(home, project, id === null ? [] : [id]))
    .filter(({ label, place }) => place === MARKER || (id !== null && label.sessionId === id))
  const isOwn = ({ path, label }: KeepSource) =>
    path === own.path || (id !== null && (label.sessionId === id || readSessionPath(path).parentId === id))
  return { sources: [...logs.filter(isOwn), ...beside], moving: 0 }
}

/** By whatever path the system reaches it: a home may be below a link. */
function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync.native(one) === realpathSync.native(other)
  } catch {
    return false
  }
}

/** While it is being written, each scan would store another version. */
function isAtRest({ files }: ScannedConversation): boolean {
  return files.every(({ mtimeMs }) => Math.abs(Date.now() - mtimeMs) >= REST_MS)
}

/**
 * Its transcripts, its title, what the agent wrote for the user, and the rows of its database: the database file would be stored in full
 * with each version.
 */
function ofConversation({ home, id, files }: ScannedConversation): KeepSource[] {
  const label = { kind: 'conversation', sessionId: id }
  const kept = files.filter(({ path }) => !path.startsWith(`${CONVERSATION_FOLDER}/conversations/`))
  const database = files.find(({ path }) => path.endsWith('.db'))
  const wal = files.find(({ path }) => path.endsWith('.db-wal'))
  return [
    ...[...kept, ...listArtifacts(home, id)].map((file) => toSource(file, label)),
    ...(database === undefined
      ? []
      : [{ ...toSource(database, label), stamp: stampOfBoth(database, wal ?? database), conversation: id }]),
  ]
}

/** Of a database and its WAL as one file: changes when either does. */
function stampOfBoth(database: DiscoveredFile, wal: DiscoveredFile): TakenStamp {
  const latest = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other)
  return {
    sizeBytes: database.sizeBytes + (wal === database ? 0 : wal.sizeBytes),
    mtimeNs: latest(database.mtimeNs, wal.mtimeNs),
    ctimeNs: latest(database.ctimeNs, wal.ctimeNs),
    inode: database.inode,
  }
}

async function sessionLogs(
  files: readonly DiscoveredFile[],
  labelOf: (path: string) => FileLabel | null,
): Promise<KeepSource[]> {
  // a log may be scanned before its first line is written
  const unknown = files.filter(({ path }) => (labelOf(path)?.sessionId ?? null) === null)
  const heads = await readHeads(unknown)
  return files.map((file) => {
    const head = heads.get(file)
    const { parentId, stem } = readSessionPath(file.path)
    const isSubagent = head?.kind === 'subagent' || (parentId !== null && !stem.startsWith('session-'))
    const known = labelOf(file.path)
    const label =
      head === undefined && known !== null
        ? known
        : { kind: isSubagent ? 'subagent' : 'session', sessionId: head?.sessionId ?? null }
    return toSource(file, label)
  })
}

function ofProject(home: GeminiHome, project: ProjectPlace, sessionIds: Iterable<string>): KeepSource[] {
  const { folder, logs, checkpoints, name } = project
  const beside = listBeside(project, sessionIds)
  const places = new Set(beside.map(({ place }) => place))
  return [
    ...(logs === null ? [] : [toSource(logs, { kind: 'prompts', sessionId: null })]),
    ...checkpoints
      .map((file) => toSource(file, { kind: 'saved-chat', sessionId: null }))
      .filter(({ place }) => !places.has(place)),
    ...beside.map((file) => besideSource(home, file)),
    ...marker(home, folder),
    ...marker(home, `${home.path}/history/${name}`),
  ]
}

function toSource(file: DiscoveredFile, label: FileLabel): KeepSource {
  const { path, projectFolder, absolutePath, sizeBytes, mtimeNs, ctimeNs, inode } = file
  return {
    path,
    folder: projectFolder,
    place: absolutePath.slice(projectFolder.length + 1),
    stamp: { sizeBytes, mtimeNs, ctimeNs, inode },
    label,
  }
}

function besideSource(home: GeminiHome, file: BesideFile): KeepSource {
  const { folder, place, kind, sessionId, sizeBytes, mtimeNs, ctimeNs, inode } = file
  return {
    path: `${folder}/${place}`.slice(home.path.length + 1),
    folder,
    place,
    stamp: { sizeBytes, mtimeNs, ctimeNs, inode },
    label: { kind, sessionId },
  }
}

const MARKER = '.project_root'

/** `.project_root` contains the path of the project's folder: without it only a hash or a slug is known. */
function marker(home: GeminiHome, folder: string): KeepSource[] {
  const place = MARKER
  // A link may lead anywhere.
  const isOwn = [dirname(folder), folder].every(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  )
  const stats = isOwn ? lstatSync(`${folder}/${place}`, { bigint: true, throwIfNoEntry: false }) : undefined
  if (stats?.isFile() !== true) return []
  return [
    {
      path: `${folder}/${place}`.slice(home.path.length + 1),
      folder,
      place,
      stamp: {
        sizeBytes: Number(stats.size),
        mtimeNs: String(stats.mtimeNs),
        ctimeNs: String(stats.ctimeNs),
        inode: String(stats.ino),
      },
      label: { kind: 'project', sessionId: null },
    },
  ]
}
