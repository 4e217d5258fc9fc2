import { isSavedChatName } from '../../derive/loose/saved-chat-session.ts'
import type { TimeSlice } from '../files/time-slice.ts'
import { explainLeftover, type LeftoverPlace } from './explain-leftover.ts'
import type { FolderEntry, HomeReader } from './home-reader.ts'
import { readMarker } from './read-marker.ts'
import type { ProjectPlace, Scan, SkippedEntry } from './scan.ts'

/** The CLI nests one level (`chats/<parent>/`); deeper is foreign, but read. */
const MAX_DEPTH = 4
/** By extension: the recorder's own files, sub-agents' short names, and `.unreadable-<ms>` backups (0.55.1+). */
const SESSION_FILE = /^[^.].*\.jsonl?(\.unreadable-\d+)?$/s

/** Up to 0.28 a project's folder was named by the SHA-256 of its path. */
const HASH = /^[0-9a-f]{64}$/
/** What the CLI keeps beside `chats/`. */
const PROJECT_CONTENT = new Set([
  'shell_history',
  'tool-outputs',
  'checkpoints',
  'images',
  'plans',
  'tracker',
  'memory',
])

/** Adds one folder under `tmp/` to the scan, if it is a project's: `tmp/bin` and the like are not. */
export async function scanProject(
  reader: HomeReader,
  entry: FolderEntry,
  scan: Scan,
  slice: TimeSlice,
): Promise<void> {
  const { name, path: folder, kind } = entry
  if (kind !== 'folder') {
    skipLeftover(reader, entry, 'tmp')
    return
  }
  const entries = reader.list(folder)
  const chats = entries.find((entry) => entry.name === 'chats' && entry.kind === 'folder')
  const files = entries.filter((entry) => entry.kind === 'file')
  const logs = files.find((entry) => entry.name === 'logs.json')
  const checkpoints = [...files, ...inCheckpoints(reader, entries)].filter(({ name }) =>
    isSavedChatName(name),
  )
  const hasMarker = files.some((entry) => entry.name === '.project_root')
  for (const file of files) skipLeftover(reader, file, 'project')
  if (!chats && !logs && checkpoints.length === 0 && !hasMarker) {
    const skipped = explainBareFolder(entry, entries)
    if (skipped) reader.skip(skipped)
    return
  }
  const onFault = (path: string, errno: string) => reader.refuse(path, errno)
  const place: ProjectPlace = {
    home: reader.home.path,
    folder,
    name,
    marker:
      (hasMarker ? readMarker(folder, onFault) : null) ?? readMarker(`${reader.home.path}/history/${name}`),
    logs: logs ? reader.measure(logs.path, folder) : null,
    checkpoints: checkpoints.flatMap((entry) => reader.measure(entry.path, folder) ?? []),
  }
  scan.projects.push(place)
  if (chats) await scanChats(reader, { folder: chats.path, projectFolder: folder, scan, slice })
}

/** The folder of restore points, where some versions saved chats, too. */
function inCheckpoints(reader: HomeReader, entries: readonly FolderEntry[]): FolderEntry[] {
  const folder = entries.find(({ name, kind }) => name === 'checkpoints' && kind === 'folder')
  return folder === undefined ? [] : reader.list(folder.path).filter(({ kind }) => kind === 'file')
}

/** For a folder under `tmp/` without anything to read: null unless it is a project's all the same. */
function explainBareFolder(folder: FolderEntry, content: readonly FolderEntry[]): SkippedEntry | null {
  if (!HASH.test(folder.name) && !content.some(({ name }) => PROJECT_CONTENT.has(name))) return null
  return {
    path: folder.path,
    code: 'left-out',
    reason: 'This folder of a project holds no session, no prompt log and no saved chat.',
    advice: 'Nothing is missing: the CLI recorded nothing there, or has deleted it since.',
    needsAttention: false,
  }
}

interface ChatsFolder {
  folder: string
  projectFolder: string
  scan: Scan
  slice: TimeSlice
}

/** Adds the session files below a `chats` folder to the scan. */
async function scanChats(reader: HomeReader, chats: ChatsFolder, depth = 1): Promise<void> {
  const { folder, projectFolder, scan, slice } = chats
  for (const entry of reader.list(folder)) {
    if (slice.isOver()) await slice.next()
    if (SESSION_FILE.test(entry.name) && entry.kind !== 'file') skipNonFile(reader, entry)
    else if (entry.kind === 'folder' && depth < MAX_DEPTH) {
      await scanChats(reader, { ...chats, folder: entry.path }, depth + 1)
    } else if (entry.kind === 'folder') skipDeepFolder(reader, entry)
    else if (SESSION_FILE.test(entry.name)) {
      const file = reader.measure(entry.path, projectFolder)
      if (file) scan.files.push(file)
    } else skipLeftover(reader, entry, 'chats')
  }
}

function skipNonFile(reader: HomeReader, { path, kind }: FolderEntry): void {
  const what = kind === 'folder' ? 'a folder' : 'a pipe, socket or device'
  reader.skip({
    path,
    code: 'not-a-file',
    reason: `This is named like a session but is ${what}.`,
    advice: 'If it holds sessions, move them up into chats/; otherwise give it another name.',
    needsAttention: true,
  })
}

function skipDeepFolder(reader: HomeReader, { path }: FolderEntry): void {
  reader.skip({
    path,
    code: 'left-out',
    reason: `This folder lies more than ${MAX_DEPTH - 1} levels below chats/, deeper than the CLI ever writes.`,
    advice: 'If it holds sessions, move them up into chats/.',
    needsAttention: true,
  })
}

/** Tells of a file that is not read although its name promises a session. */
function skipLeftover(reader: HomeReader, { name, path }: FolderEntry, place: LeftoverPlace): void {
  const explanation = explainLeftover(name, place)
  if (explanation) reader.skip({ path, code: 'left-out', ...explanation })
}
