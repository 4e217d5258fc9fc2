import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isSavedChatName } from '../../derive/saved-chat-session.ts'
import { explainSystemError, faultCode, readSmallFile, TimeSlice, toSlashes } from '../files.ts'
import {
  type DiscoveredFile,
  explainLeftover,
  type LeftoverPlace,
  type ProjectPlace,
  type Scan,
  type SkippedEntry,
} from './scan.ts'

/** What other programs of Antigravity than its command line keep in a home: conversations that nothing here reads. */
export interface AntigravityTrace {
  /** Names of the folders in the home. */
  folders: string[]
  /** Conversations in all of them, each once. */
  conversations: number
}

/** Its command line, desktop program, editor and editor server, and the copy that an upgrade leaves. */
const ANTIGRAVITY_FOLDERS = [
  'antigravity-cli',
  'antigravity',
  'antigravity-ide',
  'antigravity-acp',
  'antigravity-backup',
]

const UNREAD_FOLDERS = ANTIGRAVITY_FOLDERS.filter((name) => name !== 'antigravity-cli')

/** Looks at names only. null: it has left nothing there. */
export function findAntigravity(home: string): AntigravityTrace | null {
  const ids = new Set<string>()
  const folders = UNREAD_FOLDERS.filter((name) => {
    const found = conversationsIn(join(home, name))
    for (const id of found ?? []) ids.add(id)
    return found !== null
  })
  return folders.length === 0 ? null : { folders, conversations: ids.size }
}

/** A conversation is one file, one folder beside it, or both. null: the folder holds neither kind. */
function conversationsIn(folder: string): string[] | null {
  const files = namesIn(join(folder, 'conversations'))
  const notes = namesIn(join(folder, 'brain'))
  if (files === null && notes === null) return null
  const ofFiles = (files ?? []).flatMap((name) => /^([^.]+)\.(?:db|pb)$/.exec(name)?.[1] ?? [])
  return [...ofFiles, ...(notes ?? []).filter((name) => ID.test(name))]
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch {
    return null
  }
}

/** A folder in which Gemini CLI keeps its data. */
export interface GeminiHome {
  /** The `.gemini` folder (or a copy of one by another name), absolute, `/` on every system. */
  path: string
  /** Its folder of projects. Only `GEMINI_SESSIONS_DIR` can name one that is not called `tmp`. */
  tmpPath: string
  exists: boolean
}

/** What says where to look. */
export interface HomeQuestion {
  /** Values of `--home`, in order. */
  homeArguments: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  userHome: string
}

/** Where to look for sessions: `--home`, else `GEMINI_SESSIONS_DIR`, else `GEMINI_CLI_HOME`, else the user's own home. */
export function findHomes({ homeArguments, env, userHome }: HomeQuestion): GeminiHome[] {
  if (homeArguments.length > 0) return distinct(homeArguments.map(homeAt))
  if (env.GEMINI_SESSIONS_DIR) return [homeOfSessions(env.GEMINI_SESSIONS_DIR)]
  if (env.GEMINI_CLI_HOME) return [homeAt(env.GEMINI_CLI_HOME)]
  // In the macOS sandbox 0.61 keeps sessions in the cache folder.
  const sandboxed = join(userHome, '.cache', '.gemini')
  const own = toHome(join(userHome, '.gemini'))
  return isFolder(sandboxed) ? [own, toHome(sandboxed)] : [own]
}

/** Any of these shows that a folder is a `.gemini` under another name. */
const HOME_CONTENT = ['tmp', 'projects.json', 'settings.json', ...ANTIGRAVITY_FOLDERS]

/** Accepts the folder above `.gemini`, `.gemini` itself, or a copy of it by another name. */
function homeAt(given: string): GeminiHome {
  const path = resolve(given)
  const inner = join(path, '.gemini')
  if (basename(path) === '.gemini') return toHome(path)
  // A user's home folder may hold a `tmp` of its own, so `.gemini` in it wins.
  if (isFolder(inner)) return toHome(inner)
  return toHome(HOME_CONTENT.some((name) => existsSync(join(path, name))) ? path : inner)
}

/** A folder of projects, whatever it is called; a home, or the folder above one, is taken for what it is. */
function homeOfSessions(given: string): GeminiHome {
  const tmpPath = resolve(given)
  const hasProjects = isFolder(join(tmpPath, 'tmp')) && !isFolder(join(tmpPath, 'tmp', 'chats'))
  if (basename(tmpPath) === '.gemini' || isFolder(join(tmpPath, '.gemini')) || hasProjects)
    return homeAt(tmpPath)
  const path = dirname(tmpPath)
  return { path: toSlashes(path), tmpPath: toSlashes(tmpPath), exists: isFolder(tmpPath) }
}

function toHome(path: string): GeminiHome {
  return { path: toSlashes(path), tmpPath: toSlashes(join(path, 'tmp')), exists: isFolder(path) }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function distinct(homes: readonly GeminiHome[]): GeminiHome[] {
  return [...new Map(homes.map((home) => [home.path, home])).values()]
}

interface FolderEntry {
  name: string
  /** Absolute, `/` on every system. */
  path: string
  kind: 'folder' | 'file' | 'other'
}

/** Where a link may lead: to a project's folder or into its `chats`, which are scanned at their own place anyway. */
const SCANNED_PLACE = /^[^/]+(\/chats(\/.*)?)?$/

/** Links whose name promises a session, a prompt log, a saved chat or a whole project. */
const PROMISING_NAME =
  /^(session-|checkpoint|logs\.json$|chats$|(tool-outputs|images|plans|tracker)$)|\.jsonl?$/
/** Below `chats` every folder may hold sessions: a sub-agent's is called by an id. */
const IN_CHATS = /\/chats(\/|$)/

/** Lists and measures what is in one home; opens nothing and never leaves the folder of projects. */
export class HomeReader {
  readonly home: GeminiHome
  readonly #realTmpPath: string
  readonly #skipped: SkippedEntry[]

  private constructor(home: GeminiHome, realTmpPath: string, skipped: SkippedEntry[]) {
    this.home = home
    this.#realTmpPath = realTmpPath
    this.#skipped = skipped
  }

  /** null: the home has no folder of projects yet. */
  static open(home: GeminiHome, skipped: SkippedEntry[]): HomeReader | null {
    try {
      return new HomeReader(home, toSlashes(realpathSync(home.tmpPath)), skipped)
    } catch (error) {
      skipUnreadable(home.tmpPath, error, skipped)
      return null
    }
  }

  /** What is in a folder, links left out: those that stay inside are found where they lead to. */
  list(folder: string): FolderEntry[] {
    return this.#readFolder(folder).flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isSymbolicLink()) {
        this.#judgeLink(path, entry.name, folder)
        return []
      }
      const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other'
      return [{ name: entry.name, path, kind }]
    })
  }

  /** null: the file vanished, or it is no regular file. */
  measure(path: string, projectFolder: string): DiscoveredFile | null {
    try {
      const stats = lstatSync(path, { bigint: true })
      if (!stats.isFile()) return null
      return {
        home: this.home.path,
        path: path.slice(this.home.path.length + 1),
        absolutePath: path,
        projectFolder,
        sizeBytes: Number(stats.size),
        mtimeMs: Number(stats.mtimeMs),
        mtimeNs: String(stats.mtimeNs),
        ctimeNs: String(stats.ctimeNs),
        inode: String(stats.ino),
      }
    } catch (error) {
      skipUnreadable(path, error, this.#skipped)
      return null
    }
  }

  skip(entry: SkippedEntry): void {
    this.#skipped.push(entry)
  }

  /** The system refuses to read this, by its code. */
  refuse(path: string, code: string): void {
    skipUnreadable(path, Object.assign(new Error(code), { code }), this.#skipped)
  }

  #readFolder(folder: string): Dirent[] {
    try {
      const entries = readdirSync(folder, { withFileTypes: true })
      if (!entries.some(({ name }) => name.includes('\ufffd'))) return entries
      const broken = namesBeyondText(folder)
      for (const name of broken.escaped) this.skip(explainBrokenName(`${folder}/${name}`))
      const byName = new Map(entries.map((entry) => [entry.name, entry]))
      return [...byName.values()].filter(({ name }) => !broken.shown.has(name))
    } catch (error) {
      skipUnreadable(folder, error, this.#skipped)
      return []
    }
  }

  #judgeLink(path: string, name: string, folder: string): void {
    const isPromising =
      folder === this.home.tmpPath ||
      PROMISING_NAME.test(name) ||
      (IN_CHATS.test(folder.slice(this.home.tmpPath.length)) && isFolder(path))
    if (!isPromising) return
    try {
      const target = toSlashes(realpathSync(path))
      const isInside = target.startsWith(`${this.#realTmpPath}/`)
      if (isInside && SCANNED_PLACE.test(target.slice(this.#realTmpPath.length + 1))) return
      this.#skipped.push({
        path,
        code: 'outside-home',
        reason: isInside
          ? 'This is a link to another place in the folder of sessions; such links are not followed.'
          : 'This is a link to a place outside the folder of sessions; such links are not followed.',
        advice: isInside
          ? 'Move what it leads to here, in the place of the link.'
          : 'To read what it leads to, name the home that holds it with --home.',
        needsAttention: true,
      })
    } catch {
      this.#skipped.push({
        path,
        code: 'broken-link',
        reason: 'This is a broken link.',
        advice: 'Restore its target, or remove the link.',
        needsAttention: true,
      })
    }
  }
}

function explainBrokenName(path: string): SkippedEntry {
  return {
    path,
    code: 'left-out',
    reason:
      'The name of this is not UTF-8 text, so nothing can open it by its name; what is none is written as \\x and its value.',
    advice:
      'If it is a session or holds some, rename it: letters, digits, dots and dashes can always be read.',
    needsAttention: true,
  }
}

function skipUnreadable(path: string, error: unknown, skipped: SkippedEntry[]): void {
  const reason = explainSystemError(error)
  if (reason === null) return
  const advice = 'Check its permissions. It is read as soon as possible.'
  const errno = faultCode(error)
  skipped.push({
    path,
    code: 'unreadable',
    reason,
    advice,
    needsAttention: true,
    ...(errno !== null && { errno }),
  })
}

/**
 * Names in a folder that are not UTF-8, as other systems and old archives leave them: how Node shows them (with U+FFFD, by
 * which nothing can be opened), and how a person can tell each of them: `a\xe9.json`.
 */
function namesBeyondText(folder: string): { shown: ReadonlySet<string>; escaped: string[] } {
  const names = readdirSync(folder, { encoding: 'buffer' })
  const broken = names.filter((name) => !Buffer.from(name.toString()).equals(name))
  const shown = new Set(broken.map((name) => name.toString()))
  // A name may really hold U+FFFD.
  for (const name of names) if (!broken.includes(name)) shown.delete(name.toString())
  return { shown, escaped: broken.map(escapeBytes) }
}

function escapeBytes(name: Buffer): string {
  return [...name]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('')
}

const MAX_MARKER_BYTES = 64 * 1024

/** The project's root as the marker in this folder says; null without a marker. `onFault`: the system refuses to read it. */
export function readMarker(
  folder: string,
  onFault: (path: string, code: string) => void = () => {},
): string | null {
  const marker = `${folder}/.project_root`
  const path = readSmallFile(marker, MAX_MARKER_BYTES, (code) => onFault(marker, code))?.trim() ?? ''
  return path === '' ? null : path
}

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
async function scanProject(
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

/**
 * Finds every session file of these homes by names and stat alone; opens nothing but the tiny project markers.
 * Synchronous calls in slices of a few milliseconds: five times as fast as a promise for each file, and the event
 * loop stays free.
 */
export async function scanHomes(homes: readonly GeminiHome[]): Promise<Scan> {
  const scan: Scan = { projects: [], files: [], skipped: [] }
  const slice = new TimeSlice()
  for (const home of homes) {
    const reader = HomeReader.open(home, scan.skipped)
    if (reader === null) {
      if (!existsSync(home.tmpPath)) scan.missing = [...(scan.missing ?? []), home.tmpPath]
      continue
    }
    for (const entry of reader.list(home.tmpPath)) await scanProject(reader, entry, scan, slice)
  }
  return scan
}
