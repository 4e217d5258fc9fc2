import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { toSlashes } from '../files/local-path.ts'
import { faultCode } from '../files/read-fault.ts'
import { explainSystemError } from '../files/sessions-error.ts'
import type { GeminiHome } from './find-homes.ts'
import type { DiscoveredFile, SkippedEntry } from './scan.ts'

export interface FolderEntry {
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
        reason: 'This is a link to something that is not there.',
        advice: 'Bring back what it led to, or remove the link.',
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

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function skipUnreadable(path: string, error: unknown, skipped: SkippedEntry[]): void {
  const reason = explainSystemError(error)
  if (reason === null) return
  const advice = 'Check who may read it; it is read as soon as that is possible.'
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
