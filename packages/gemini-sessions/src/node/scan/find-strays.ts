import { closeSync, type Dirent, openSync, readdirSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { isSavedChatName } from '../../derive/saved-chat-session.ts'
import { FILE_KINDS, type FileKind } from '../../model/file-kind.ts'
import { recognizeFile } from '../../parse/problems.ts'
import { readSessionHead } from '../../parse/session-file.ts'
import { READ_ONLY_FLAGS, TimeSlice } from '../files.ts'
import type { GeminiHome } from './find-homes.ts'
import { explainLeftover, type SkippedEntry } from './scan.ts'

/** Maximum number of folders to list, and of files whose first bytes are read, per Gemini folder. */
const MOST_FOLDERS = 2_000
const MOST_FILES = 500
const HEAD_BYTES = 4096
/** In a folder that the CLI does not create: `<folder>/<project>/chats/<parent>`. */
const MOST_LEVELS = 3

/** Folders of Gemini CLI beside `chats/` in a project's folder, and those checked elsewhere. */
const KNOWN_FOLDERS: ReadonlySet<string> = new Set([
  'chats',
  'checkpoints',
  'images',
  'logs',
  'memory',
  'otel',
  'plans',
  'tasks',
  'tool-outputs',
  'tool_output',
  'tracker',
])
/** A session's folder for its own plans and tasks. */
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const SESSION = /^session-.*\.jsonl?$/i
/** Folders in a Gemini folder that look like they have sessions: `Chats`, `.chats`, `chats (1)`, `tmp.bak`. */
const FOLDER_OF_SESSIONS = /^[^a-z0-9]*(?:chats?|sessions?|te?mp)(?![a-z])/i
/** Files named like part of a conversation. */
const PROMISING = /^(?:session-|checkpoint|bug-report-history-|gemini-conversation-|logs\.json)/i
const READABLE = /\.(?:jsonl?|log)$/i
const OPEN_TELEMETRY = /telemetry.*\.(?:log|jsonl?)$/i

/**
 * Finds what looks like a Gemini CLI conversation in a place that neither Gemini CLI nor this program reads: folders named almost `chats`,
 * sessions in folders with other names, and files beside `chats/` with a chat. By name, and in the folders of projects by the first 4 KB of
 * files; bounded in each Gemini folder.
 */
export async function findStrays(homes: readonly GeminiHome[]): Promise<SkippedEntry[]> {
  const slice = new TimeSlice()
  const found: SkippedEntry[] = []
  for (const home of homes) {
    const search = new StraySearch(home)
    for (const look of search.looks()) {
      look()
      if (slice.isOver()) await slice.next()
    }
    found.push(...search.found)
  }
  return found
}

class StraySearch {
  readonly found: SkippedEntry[] = []
  readonly #home: GeminiHome
  #folders = 0
  #files = 0

  constructor(home: GeminiHome) {
    this.#home = home
  }

  /** Each is a short piece of work. */
  *looks(): Generator<() => void> {
    const { path, tmpPath } = this.#home
    // if GEMINI_SESSIONS_DIR sets the folder of projects, its parent is not Gemini CLI's
    if (basename(tmpPath) === 'tmp') yield () => this.#lookInHome(path)
    for (const entry of this.#list(tmpPath)) {
      const inner = `${tmpPath}/${entry.name}`
      if (entry.isDirectory()) yield () => this.#lookInProject(inner)
      else if (entry.isFile()) yield () => this.#lookAt(tmpPath, entry.name)
    }
    if (this.#folders > MOST_FOLDERS || this.#files > MOST_FILES) this.found.push(readInPart(tmpPath))
  }

  /** By name only: the folder also has settings and credentials. */
  #lookInHome(path: string): void {
    for (const entry of this.#list(path)) {
      const { name } = entry
      if (entry.isDirectory() && name !== 'tmp' && FOLDER_OF_SESSIONS.test(name))
        this.#lookInFolder(`${path}/${name}`)
      else if (entry.isFile() && OPEN_TELEMETRY.test(name)) this.#tell(`${path}/${name}`, 'telemetry')
      else if (entry.isFile() && (SESSION.test(name) || isSavedChatName(name) || /^logs\.jsonl?$/.test(name)))
        this.found.push(misplaced(`${path}/${name}`))
    }
  }

  #lookInProject(folder: string): void {
    for (const entry of this.#list(folder)) {
      const { name } = entry
      if (entry.isFile()) this.#lookAt(folder, name)
      else if (entry.isDirectory() && !KNOWN_FOLDERS.has(name) && !ID.test(name))
        this.#lookInFolder(`${folder}/${name}`)
    }
  }

  /** Counts files named like sessions in a folder that is not read, recursively. */
  #lookInFolder(folder: string): void {
    const holders = new Map<string, string[]>()
    this.#collect(folder, MOST_LEVELS, holders)
    for (const [holder, [first = '', ...others]] of holders) {
      const count = others.length + 1
      this.found.push({
        path: holder,
        code: 'left-out',
        reason:
          count === 1
            ? `This folder contains a session, ${first}, but sessions are read only in chats/ of a project.`
            : `This folder contains ${count} sessions, ${first} for example, but sessions are read only in chats/ of a project.`,
        advice: MOVE_INTO_CHATS,
        needsAttention: true,
      })
    }
  }

  #collect(folder: string, levels: number, holders: Map<string, string[]>): void {
    for (const entry of this.#list(folder)) {
      if (entry.isFile() && SESSION.test(entry.name))
        holders.set(folder, [...(holders.get(folder) ?? []), entry.name])
      else if (entry.isDirectory() && levels > 1)
        this.#collect(`${folder}/${entry.name}`, levels - 1, holders)
    }
  }

  /** A file beside `chats/` that the scan neither reads nor reports. */
  #lookAt(folder: string, name: string): void {
    const isProject = folder !== this.#home.tmpPath
    const isRead = isProject && (name === 'logs.json' || isSavedChatName(name))
    if (isRead || explainLeftover(name, isProject ? 'project' : 'tmp') !== null) return
    if (!READABLE.test(name) && !PROMISING.test(name)) return
    this.#files += 1
    if (this.#files > MOST_FILES) return
    const path = `${folder}/${name}`
    const head = readHead(path)
    if (head === null) return
    const kind = recognizeFile(head)
    if (FILE_KINDS[kind].isCertain) this.#tell(path, kind)
    else if (readSessionHead(head).sessionId !== null) this.found.push(misplaced(path))
    else if (PROMISING.test(name)) this.#tell(path, kind)
  }

  #tell(path: string, kind: FileKind): void {
    const { reason, advice, needsAttention } = FILE_KINDS[kind]
    this.found.push({ path, code: 'left-out', reason, advice, needsAttention })
  }

  #list(folder: string): Dirent[] {
    this.#folders += 1
    if (this.#folders > MOST_FOLDERS) return []
    try {
      return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch {
      // the scan reports unreadable folders
      return []
    }
  }
}

const MOVE_INTO_CHATS =
  'To have it read, move it into tmp/NAME/chats/ of the Gemini folder. NAME is that of the project.'

function misplaced(path: string): SkippedEntry {
  const reason =
    'This is a session, a saved chat or a prompt log by its name or content, in a folder where none is read.'
  const advice = `${MOVE_INTO_CHATS} Saved chats and logs.json are read beside chats/.`
  return { path, code: 'left-out', reason, advice, needsAttention: true }
}

function readInPart(path: string): SkippedEntry {
  return {
    path,
    code: 'left-out',
    reason: `More folders or files are here than are searched for sessions in odd places (${MOST_FOLDERS} and ${MOST_FILES}).`,
    advice: 'Sessions in chats/ of a project are all read.',
    needsAttention: false,
  }
}

function readHead(path: string): Uint8Array | null {
  try {
    const descriptor = openSync(path, READ_ONLY_FLAGS)
    try {
      const bytes = new Uint8Array(HEAD_BYTES)
      return bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}
