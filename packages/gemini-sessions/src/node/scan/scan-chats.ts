import type { TimeSlice } from '../files/time-slice.ts'
import type { FolderEntry, HomeReader } from './home-reader.ts'
import type { Scan } from './scan.ts'
import { skipLeftover } from './skip-leftover.ts'

/** The CLI nests one level (`chats/<parent>/`); deeper is foreign, but read. */
const MAX_DEPTH = 4

/** By extension: the recorder's own files, sub-agents' short names, and `.unreadable-<ms>` backups (0.55.1+). */
const SESSION_FILE = /^[^.].*\.jsonl?(\.unreadable-\d+)?$/s

export interface ChatsFolder {
  folder: string
  projectFolder: string
  scan: Scan
  slice: TimeSlice
}

/** Adds the session files below a `chats` folder to the scan. */
export async function scanChats(reader: HomeReader, chats: ChatsFolder, depth = 1): Promise<void> {
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
