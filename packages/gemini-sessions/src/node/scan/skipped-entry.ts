import type { ParseIssueCode } from '../../model/parse-issue.ts'

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
  /** The system's code, where a fault that may go away kept us from listing or measuring it. */
  errno?: string
}
