import type { ParseIssueCode } from '../../model/parse-issue.ts'
import type { KeptCopy } from '../../model/session-summary.ts'

/** A file of sessions or prompts as the scan found it. Equal size, times and inode: not changed since. */
export interface DiscoveredFile {
  /** Absolute path of its home, `/` on every system. */
  home: string
  /** Relative to that home. */
  path: string
  absolutePath: string
  /** Absolute path of its project's folder under `tmp/`. */
  projectFolder: string
  sizeBytes: number
  mtimeMs: number
  /** Nanoseconds since the epoch, as decimal text: more than a number can hold. */
  mtimeNs: string
  /** As `mtimeNs`, of the last change of content, name or rights; nobody can set it back. */
  ctimeNs: string
  inode: string
  /** Set where the file is missing in its home, or changed there: `absolutePath` is that of a kept copy. */
  kept?: KeptCopy
}

/** Something that looks like a session or holds some, but was not opened. */
export interface SkippedEntry {
  /** Absolute, `/` on every system. */
  path: string
  code: Extract<ParseIssueCode, 'outside-home' | 'not-a-file' | 'unreadable' | 'broken-link' | 'left-out'>
  /** One sentence for people. */
  reason: string
  /** What to do about it, in a sentence. */
  advice: string
  /** It may be a session that somebody misses. */
  needsAttention: boolean
  /** The system's error code, if it could not be listed or measured because of a fault that may pass. */
  errno?: string
}

/** A folder under `tmp/` that belongs to a project. */
export interface ProjectPlace {
  /** Absolute path of its home, `/` on every system. */
  home: string
  /** Absolute path of the folder. */
  folder: string
  /** Its name: a SHA-256 (up to 0.28) or a slug. */
  name: string
  /** The project's root as `.project_root` says (0.29+), in the folder itself or under `history/`. */
  marker: string | null
  /** `logs.json`: what was typed in interactive mode. */
  logs: DiscoveredFile | null
  /** Kept versions of it that hold what it lost since. */
  earlierLogs?: DiscoveredFile[]
  /** Chats saved by the user (`isSavedChatName`). */
  checkpoints: DiscoveredFile[]
  /** Absolute path of the folder with kept copies of what is missing in this one, under the same names. */
  keptFolder?: string
}

/** What lies on disk, by names and stat alone. */
export interface Scan {
  projects: ProjectPlace[]
  /** Everything under `chats/` that looks like a session. */
  files: DiscoveredFile[]
  skipped: SkippedEntry[]
  /** Folders of projects (`GeminiHome.tmpPath`) that are not there at all. */
  missing?: string[]
}
