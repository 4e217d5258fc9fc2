/** What the path of a session file, relative to its home, says. The name proves no identity; it is the last resort. */
export interface SessionPath {
  /** Name of the folder under `tmp/`. */
  projectFolder: string
  /** Name of the folder between `chats/` and the file: the parent's sessionId (0.37+); null for a file right in `chats/`. */
  parentId: string | null
  /** File name without its extension. */
  stem: string
  /** A file that the CLI could not read at a resume and put aside (`.unreadable-<ms>`, 0.55.1+), or what one held before it was overwritten (`.kept-<n>`). */
  isBackup: boolean
  /** What the name says in place of a session id: mostly its first 8 characters; the stem if it is no session name. */
  nameId: string
}

/** Reads a path by its parts; works for any text and opens nothing. */
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
