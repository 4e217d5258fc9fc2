import type { ParseIssueCode } from '../../model/issue.ts'
import type { KeptCopy } from '../../model/session-summary.ts'

/** A file of sessions or prompts found by the scan. Equal size, times and inode mean that it is unchanged. */
export interface DiscoveredFile {
  /** Absolute path of its Gemini folder, `/` on every system. */
  home: string
  /** Relative to that Gemini folder. */
  path: string
  absolutePath: string
  /** Absolute path of its project's folder in `tmp/`. */
  projectFolder: string
  sizeBytes: number
  mtimeMs: number
  /** Nanoseconds since the epoch, as a decimal string, since they exceed a number. */
  mtimeNs: string
  /** Like `mtimeNs`, of the last change of content, name or permissions; it cannot be set back. */
  ctimeNs: string
  inode: string
  /** Set if the file is missing or changed in its Gemini folder: `absolutePath` is that of an archived copy. */
  kept?: KeptCopy
}

/** Something that looks like a session or contains some, but was not opened. */
export interface SkippedEntry {
  /** Absolute, `/` on every system. */
  path: string
  code: Extract<ParseIssueCode, 'outside-home' | 'not-a-file' | 'unreadable' | 'broken-link' | 'left-out'>
  /** One sentence for display. */
  reason: string
  /** What to do about it, in a sentence. */
  advice: string
  /** It may be a session that the user misses. */
  needsAttention: boolean
  /** The system error code, if it could not be listed or measured because of a fault that may pass. */
  errno?: string
}

/** A project's folder in `tmp/`. */
export interface ProjectPlace {
  /** Absolute path of its Gemini folder, `/` on every system. */
  home: string
  /** Absolute path of the folder. */
  folder: string
  /** Its name: a SHA-256 (up to 0.28) or a slug. */
  name: string
  /** The project's root from `.project_root` (0.29+), in the folder itself or in `history/`. */
  marker: string | null
  /** `logs.json`: what was typed in interactive mode. */
  logs: DiscoveredFile | null
  /** Archived versions of it with entries it has lost since. */
  earlierLogs?: DiscoveredFile[]
  /** Chats saved by the user (`isSavedChatName`). */
  checkpoints: DiscoveredFile[]
  /** Absolute path of the folder with archived copies of files missing in this one, with the same names. */
  keptFolder?: string
  /** The only folder in it to list, with Markdown files that an agent wrote for the user. Left out: it is a project's. */
  artifacts?: string
}

/** A conversation of Antigravity CLI, read by another package. */
export interface ScannedConversation {
  /** Absolute path of its Gemini folder, `/` on every system. */
  home: string
  id: string
  /** All its files; their folder is the program's, not a project's. */
  files: DiscoveredFile[]
}

/** What is on disk, from names and stat alone. */
export interface Scan {
  projects: ProjectPlace[]
  /** Everything in `chats/` that looks like a session. */
  files: DiscoveredFile[]
  skipped: SkippedEntry[]
  /** Left out: not scanned for. */
  conversations?: ScannedConversation[]
  /** Folders of projects (`GeminiHome.tmpPath`) that do not exist. */
  missing?: string[]
}

/** The location of a file: directly in `tmp/`, in a project's folder, or in its `chats/`. */
export type LeftoverPlace = 'tmp' | 'project' | 'chats'

type Explanation = Pick<SkippedEntry, 'reason' | 'advice' | 'needsAttention'>

const SESSION_LIKE = /^session-|\.jsonl?(\W|$)/i
const CLI_TEMPORARY = /\.jsonl?\.tmp-\d+$/
const COMPRESSED = /\.(gz|zip|zst|xz|bz2|7z)$/i
const BACKUP = /\.jsonl?(\.[^/]*|~)$/i
const SET_ASIDE_LOG = /^logs\.json\..+\.bak$/

/** Why a file named like a session or a prompt log is not read; null if its name is different. */
export function explainLeftover(name: string, place: LeftoverPlace): Explanation | null {
  if (place === 'project' && SET_ASIDE_LOG.test(name)) {
    return {
      reason: 'This is a prompt log that Gemini CLI found damaged and set aside.',
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
    reason: 'This is named like a session but is outside of chats/, where Gemini CLI writes them.',
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
      reason: 'This is a temporary file of Gemini CLI, which was stopped while it rewrote a session.',
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
      reason: 'This is a backup by its name, which Gemini CLI does not read either.',
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
