import type { Session } from '../model/message.ts'
import type { KeptCopy } from '../model/session-summary.ts'
import type { ParsedFile } from '../parse/log.ts'
import { readFileNameTime } from '../parse/session-file.ts'
import { earliestTime, lastMessageTime, latestTime } from './messages.ts'

/** The files of one session, grouped but not yet merged. */
export interface ConversationFiles {
  kind: 'main' | 'subagent'
  /** Each has the files of one part (twins, copies, resumes); `/compress` (0.18 to 0.24) starts the next part. */
  parts: StitchFile[][]
  /** Files without a human or model message that belong to this conversation. */
  stubs: StitchFile[]
}

/** A parsed file and its location. */
export interface StitchFile {
  /** Absolute path of the Gemini folder, `/` on every system. */
  home: string
  /** `DiscoveredFile.kept` */
  kept?: KeptCopy | undefined
  parsed: ParsedFile
}

/** Start and end of the conversation in these files, in epoch milliseconds; NaN if no time is recorded. */
interface FileSpan {
  startMs: number
  endMs: number
}

export function fileSpan(files: readonly StitchFile[]): FileSpan {
  const start = earliestTime(files.map(startOf))
  const end = latestTime([start, ...files.map(({ parsed }) => lastMessageTime(parsed.messages))])
  return { startMs: Date.parse(start ?? ''), endMs: Date.parse(end ?? '') }
}

/** `startTime` as recorded, else the first message's time, else the time in the file name. */
function startOf({ parsed }: StitchFile): string | null {
  const { header, messages, path } = parsed
  return (
    header.startTime ?? earliestTime(messages.map((message) => message.timestamp)) ?? readFileNameTime(path)
  )
}

const MINUTE_MS = 60_000
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Assigns each stub to the only conversation with its id that it can belong to: a resume (0.39+) leaves a separate file with nothing but
 * metadata while it appends to the older one. Returns the remaining stubs, copies together.
 */
export function foldStubs(
  conversations: readonly ConversationFiles[],
  stubs: readonly StitchFile[],
): StitchFile[][] {
  if (stubs.length === 0) return []
  const runs = conversations.map((conversation) => ({ conversation, ...fileSpan(conversation.parts.flat()) }))
  const alone = new Map<string, StitchFile[]>()
  for (const stub of stubs) {
    const owner = ownerOf(stub, runs)
    if (owner) owner.stubs.push(stub)
    else alone.set(birthOf(stub), [...(alone.get(birthOf(stub)) ?? []), stub])
  }
  return [...alone.values()]
}

type Run = FileSpan & { conversation: ConversationFiles }

function ownerOf(stub: StitchFile, runs: readonly Run[]): ConversationFiles | null {
  const bornMinute = minute(fileSpan([stub]).startMs)
  const running = runs.filter((run) => minute(run.startMs) <= bornMinute && bornMinute <= minute(run.endMs))
  const [first, ...others] =
    running.length > 0 ? running : runs.filter((run) => mayResume(stub, run, bornMinute))
  return first !== undefined && others.length === 0 ? first.conversation : null
}

/**
 * A resume without any messages leaves no trace in the conversation. A UUID identifies one run, so its only conversation is meant; ids that
 * editors reuse (`a2a-server`) prove nothing.
 */
function mayResume({ parsed }: StitchFile, { endMs }: Run, bornMinute: number): boolean {
  return UUID.test(parsed.header.sessionId ?? '') && bornMinute > minute(endMs)
}

function minute(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS)
}

/** Equal for copies of one stub. */
function birthOf({ parsed }: StitchFile): string {
  return parsed.header.firstStartTime ?? readSessionPath(parsed.path).stem
}

/**
 * What the path of a session file, relative to its Gemini folder, contains. The name does not prove the identity; it is the last resort.
 */
export interface SessionPath {
  /** Name of the folder in `tmp/`. */
  projectFolder: string
  /** Name of the folder between `chats/` and the file: the parent's sessionId (0.37+); null for a file directly in `chats/`. */
  parentId: string | null
  /** File name without its extension. */
  stem: string
  /**
   * A file that the CLI could not read on resume and moved aside (`.unreadable-<ms>`, 0.55.1+), or content from before it was overwritten
   * (`.kept-<n>`).
   */
  isBackup: boolean
  /** The session id part of the name: usually its first 8 characters; the stem if it is not a session name. */
  nameId: string
}

/** Parses a path; accepts any text and opens nothing. */
export function readSessionPath(path: string): SessionPath {
  const parts = path.split('/')
  const chats = parts.lastIndexOf('chats')
  const fileName = parts.at(-1) ?? path
  const stem = fileName.replace(EXTENSION, '')
  return {
    projectFolder: parts[chats - 1] ?? '',
    parentId: chats >= 0 && parts.length - chats > 2 ? (parts.at(-2) ?? null) : null,
    stem,
    isBackup: BACKUP.test(fileName),
    nameId: SESSION_NAME.exec(stem)?.[1] ?? stem,
  }
}

const BACKUP = /\.(?:unreadable|kept)-\d+$/
const EXTENSION = /\.jsonl?(\.(?:unreadable|kept)-\d+)?$/
/** `session-<UTC minute>-<id8>`, or with epoch milliseconds for imported sessions (0.43+). */
const SESSION_NAME = /^session-(?:\d{4}-\d\d-\d\dT\d\d-\d\d(?:-\d\d)?|\d{12,})-(.+)$/

/** What grouping needs to know of a file. */
export type GroupedFile = MovableFile

/**
 * Groups files that can belong together: same project, same sessionId. `stitchGroup` decides which of them do. Files without a readable id
 * are separate groups, with copies of the same name in other folders of the project. A file that the CLI moved aside because it could not
 * read it (0.55.1+) is grouped with its replacement. Files of a session that was moved to another project belong to that one.
 */
export function groupFiles<T extends GroupedFile>(files: Iterable<T>): Map<string, T[]> {
  const all = [...files]
  const moved = movedRuns(all)
  const groupKey = (file: GroupedFile) => keyOf(file, moved.get(runOf(file)) ?? file.projectKey)
  const keyByName = new Map(
    all.flatMap((file) => (file.sessionId === null ? [] : [[nameKey(file), groupKey(file)] as const])),
  )
  const groups = new Map<string, T[]>()
  for (const file of all) {
    const isPutAside = file.sessionId === null && readSessionPath(file.path).isBackup
    const key = (isPutAside ? keyByName.get(nameKey(file)) : undefined) ?? groupKey(file)
    const group = groups.get(key)
    if (group) group.push(file)
    else groups.set(key, [file])
  }
  return groups
}

/** Equal for files that can belong together. */
function keyOf(file: GroupedFile, projectKey: string): string {
  return file.sessionId === null ? nameKey(file) : `${projectKey}\nid\n${file.sessionId}`
}

function nameKey({ path, projectKey }: GroupedFile): string {
  const { parentId, stem } = readSessionPath(path)
  return `${projectKey}\nname\n${parentId ?? ''}/${stem}`
}

/** The common sessionId of a group's files; null if unreadable. */
export function sessionIdOfGroup(key: string): string | null {
  return /\nid\n([\s\S]*)$/.exec(key)?.[1] ?? null
}

/** The project of a group. */
export function projectOfGroup(key: string): string {
  return key.split('\n', 1)[0] ?? ''
}

/** A file with what shows that its session was moved to another project. */
export interface MovableFile {
  /** Path relative to its Gemini folder. */
  path: string
  /** Of the project whose folder it is in. */
  projectKey: string
  /** From the head of the file; null if it could not be read. */
  sessionId: string | null
  projectHash?: string | null | undefined
  movedFrom?: readonly string[] | undefined
  /** It is in no Gemini folder any more, only in the archive. */
  isKept?: boolean | undefined
}

/**
 * The current projects of sessions that `gemini-dash move` copied to another project: the copy lists the projects it comes from, and
 * everything with its id there belongs to the latest target, including sub-agents. If the copy is gone, its origin stays where it is. By
 * the project of the folder and the run (`runOf`); empty if nothing was moved.
 */
function movedRuns(files: readonly MovableFile[]): ReadonlyMap<string, string> {
  const moved = new Set(files.flatMap((file) => (isCopy(file) ? [idOf(file)] : [])))
  const runs = new Map<string, string>()
  if (moved.size === 0) return runs
  const filesById = new Map<string, MovableFile[]>()
  for (const file of files) {
    const id = idOf(file)
    if (!moved.has(id) || readSessionPath(file.path).parentId !== null) continue
    filesById.set(id, [...(filesById.get(id) ?? []), file])
  }
  for (const own of filesById.values()) {
    const [last] = own.filter(isCopy).sort(latestMoveFirst)
    if (last === undefined) continue
    const hashes = new Set([...(last.movedFrom ?? []), last.projectHash])
    const joined = own.filter(({ projectHash }) => projectHash != null && hashes.has(projectHash))
    const home = last.isKept ? (latestOrigin(last, joined) ?? last) : last
    for (const file of joined) if (file.projectKey !== home.projectKey) runs.set(runOf(file), home.projectKey)
  }
  return runs
}

/** Project and run: files of one run are a session and its sub-agents, which are in a folder named after it. */
function runOf(file: MovableFile): string {
  return `${file.projectKey}\n${idOf(file)}`
}

function isCopy({ movedFrom = [] }: MovableFile): boolean {
  return movedFrom.length > 0
}

/** As in the folder names of the CLI. */
function idOf({ path, sessionId }: MovableFile): string {
  return (readSessionPath(path).parentId ?? sessionId ?? '').replace(/[^A-Za-z0-9_-]/g, '_')
}

/** Each move adds a project to the list. */
function latestMoveFirst(a: MovableFile, b: MovableFile): number {
  const isGone = (file: MovableFile) => (file.isKept === true ? 1 : 0)
  const moves = ({ movedFrom = [] }: MovableFile) => movedFrom.length
  return isGone(a) - isGone(b) || moves(b) - moves(a) || (a.projectKey < b.projectKey ? -1 : 1)
}

/** Among the existing files, the one in the project it was last moved from. */
function latestOrigin(
  { movedFrom = [] }: MovableFile,
  joined: readonly MovableFile[],
): MovableFile | undefined {
  const place = ({ projectHash }: MovableFile) => movedFrom.lastIndexOf(projectHash ?? '')
  const [latest] = joined.filter(({ isKept }) => isKept !== true).sort((a, b) => place(b) - place(a))
  return latest
}

/**
 * Sorts files by how current their state of the conversation is (contract rule 2: the latest message time). Ties are broken
 * deterministically, so that the result does not depend on the order of discovery.
 */
export function sortByCurrency(files: readonly StitchFile[]): StitchFile[] {
  return files
    .map((file) => ({ file, ranks: ranksOf(file) }))
    .sort((a, b) => compareRanks(a.ranks, b.ranks) || comparePlace(a.file, b.file))
    .map(({ file }) => file)
}

function ranksOf({ parsed }: StitchFile): number[] {
  const { isBackup, projectFolder } = readSessionPath(parsed.path)
  return [
    parsed.isStub ? 0 : 1,
    isBackup ? 0 : 1,
    timeMs(lastMessageTime(parsed.messages)),
    // A resume by 0.39+ copies the .json to a .jsonl beside it and continues there.
    parsed.format === 'jsonl' ? 1 : 0,
    timeMs(parsed.header.lastUpdated),
    parsed.messages.length,
    // A project's hash folder was copied to its slug folder (0.29+) and has been stale since.
    /^[0-9a-f]{64}$/.test(projectFolder) ? 0 : 1,
  ]
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((rank, index) => (b[index] ?? 0) - rank).find((difference) => difference !== 0) ?? 0
}

function timeMs(time: string | null): number {
  return time === null ? 0 : Date.parse(time) || 0
}

/** Sorts files by path, then by Gemini folder. */
export function comparePlace(a: StitchFile, b: StitchFile): number {
  return compareText(a.parsed.path, b.parsed.path) || compareText(a.home, b.home)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A file that could not be read, or that had disappeared. */
export interface UnreadFile {
  /** Relative to its Gemini folder. */
  path: string
  /** System error code: `EACCES`, `EIO`, `EMFILE`, ... */
  code: string
}

/**
 * Files of these sessions that could not be read, but may be readable later. Excludes damaged content. `found`: the files to be read. Those
 * that belong to no session had disappeared, and may come back unchanged: a disk, or a renamed folder.
 */
export function unreadFiles(
  sessions: readonly Pick<Session, 'issues' | 'files'>[],
  found: readonly { home: string; path: string }[] = [],
): UnreadFile[] {
  const codes = new Map<string, string>()
  for (const { issues } of sessions) {
    for (const { code, args, file } of issues) {
      if (code === 'unreadable' && typeof args.errno === 'string') codes.set(file, args.errno)
    }
  }
  const read = new Set(sessions.flatMap(({ files }) => files.map(placeOf)))
  for (const file of found) if (!read.has(placeOf(file))) codes.set(file.path, 'ENOENT')
  return [...codes].map(([path, code]) => ({ path, code }))
}

function placeOf({ home, path }: { home: string; path: string }): string {
  return `${home}\n${path}`
}
