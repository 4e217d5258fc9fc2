import type { Message } from '../../model/message.ts'
import type { DriftNote, ParseIssue } from '../../model/parse-issue.ts'

/** What one file on disk says, replayed and lifted. Stitching makes sessions of one or more of these. */
export interface ParsedFile {
  /** Path relative to its home, `/` on every system. */
  path: string
  format: 'json' | 'jsonl'
  sizeBytes: number
  header: SessionHeader
  /** Every message ever recorded in this file, once, placed by contract rule 2; keys unique in the file. */
  messages: Message[]
  /** The live state has no human or model message, but the log has (rule 5). */
  buried: boolean
  /** Keys of the messages of the last replay state that held a human or model message; null unless buried. */
  drawnKeys: string[] | null
  /** Keys of the messages with which a later run of the CLI went on in this file (0.39+; older logs do not tell). */
  resumedKeys: string[]
  /** Ids whose live-list membership this file's log decided: every id that any of its records named. */
  knownIds: ReadonlySet<string>
  /** No message of human or model origin was ever recorded here. */
  isStub: boolean
  /** The last message is the empty `info` that `/compress` leaves (0.18 to 0.24: the conversation goes on in another file). */
  endsWithCompress: boolean
  /** Damaged, empty or foreign: `issues` says why. Of a document that was cut, `messages` are the whole ones before. */
  isDamaged: boolean
  issues: ParseIssue[]
  drift: DriftNote[]
}

/** Metadata of a file: the last value recorded for each field. */
export interface SessionHeader {
  sessionId: string | null
  projectHash: string | null
  /** `startTime` of the first metadata record exactly as stored: part of the session's key. */
  firstStartTime: string | null
  /** The earliest `startTime` recorded. */
  startTime: string | null
  lastUpdated: string | null
  kind: 'main' | 'subagent' | null
  summary: string | null
  directories: string[]
  /** `projectHash` of the projects that it was moved from, the first one first (`gemini-dash move`; the CLI knows nothing of it). */
  movedFrom?: string[]
}
