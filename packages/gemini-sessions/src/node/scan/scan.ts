import type { ParseIssueCode } from '../../model/issue.ts'
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
  /** The one folder in it that is looked into, for Markdown files that an agent wrote for the person. Left out: it is a project's. */
  artifacts?: string
}

/** A conversation of Antigravity CLI, which is read by another package. */
export interface ScannedConversation {
  /** Absolute path of its home, `/` on every system. */
  home: string
  id: string
  /** All that it is made of; each is of no project's folder, but of the one of the program. */
  files: DiscoveredFile[]
}

/** What lies on disk, by names and stat alone. */
export interface Scan {
  projects: ProjectPlace[]
  /** Everything under `chats/` that looks like a session. */
  files: DiscoveredFile[]
  skipped: SkippedEntry[]
  /** Left out: nobody looked for any. */
  conversations?: ScannedConversation[]
  /** Folders of projects (`GeminiHome.tmpPath`) that are not there at all. */
  missing?: string[]
}

/** Where something lies: directly under `tmp/`, in a project's folder, or below its `chats/`. */
export type LeftoverPlace = 'tmp' | 'project' | 'chats'

type Explanation = Pick<SkippedEntry, 'reason' | 'advice' | 'needsAttention'>

const SESSION_LIKE = /^session-|\.jsonl?(\W|$)/i
const CLI_TEMPORARY = /\.jsonl?\.tmp-\d+$/
const COMPRESSED = /\.(gz|zip|zst|xz|bz2|7z)$/i
const BACKUP = /\.jsonl?(\.[^/]*|~)$/i
const SET_ASIDE_LOG = /^logs\.json\..+\.bak$/

/** Why a file is not read whose name promises a session or a prompt log; null where the name promises nothing. */
export function explainLeftover(name: string, place: LeftoverPlace): Explanation | null {
  if (place === 'project' && SET_ASIDE_LOG.test(name)) {
    return {
      reason: 'This is a prompt log that the CLI found damaged and set aside.',
      advice: 'Prompts that are only in it are not shown; it is a text file that an editor can open.',
      needsAttention: false,
    }
  }
  if (place !== 'chats') return name.startsWith('session-') ? explainMisplaced(name) : null
  return SESSION_LIKE.test(name) ? explainName(name) : null
}

function explainMisplaced(name: string): Explanation | null {
  if (!/\.jsonl?$/.test(name)) return null
  return {
    reason: 'This is named like a session but lies outside of chats/, where the CLI keeps them.',
    advice: 'Move it into the chats/ folder of its project, and it is read.',
    needsAttention: true,
  }
}

function explainName(name: string): Explanation {
  if (name.startsWith('.')) {
    return {
      reason: 'This is a hidden file, as copies and file managers leave them.',
      advice: 'You can leave it there.',
      needsAttention: false,
    }
  }
  if (CLI_TEMPORARY.test(name)) {
    return {
      reason: 'This is a temporary file of the CLI, which was stopped while it rewrote a session.',
      advice:
        'The session itself is read from its own file. If that is missing, end the name of this with .jsonl.',
      needsAttention: false,
    }
  }
  if (COMPRESSED.test(name)) {
    return {
      reason: 'This is compressed.',
      advice: 'Unpack it beside this file, and it is read.',
      needsAttention: true,
    }
  }
  if (BACKUP.test(name)) {
    return {
      reason: 'This is a backup by its name, which the CLI does not read either.',
      advice: 'To have it read as a copy of its session, end its name with .json or .jsonl.',
      needsAttention: false,
    }
  }
  return {
    reason: 'This is named like a session but does not end in .json or .jsonl.',
    advice: 'If it is one, end its name with .jsonl, or with .json up to version 0.38.',
    needsAttention: true,
  }
}
