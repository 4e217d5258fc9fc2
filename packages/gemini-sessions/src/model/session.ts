import type { Message } from './message.ts'
import type { DriftNote, InFile, ParseIssue } from './parse-issue.ts'
import type { SessionFile, SessionKind } from './session-summary.ts'
import type { Segment } from './turn.ts'

/** The keys of one session file. */
export interface FileKeys {
  /** Hash of the id and the start that the file records: what its key is unless another conversation has that key. */
  start: string
  /** Leads to the session of the file. */
  file: string
  /** Of the session that the file belongs to. */
  session: string
}

/** Requests of a session that are copies of those of another one, which counts them. */
export interface BilledElsewhere {
  sessionKey: string
  /** `requestId` */
  requests: string[]
}

/**
 * One conversation as a person sees it: copies, twins and stubs merged, compress halves as segments.
 * The result of stitching; summaries, turns and charts are derived from it.
 */
export interface Session {
  key: string
  /** Keys that lead to the session: its own, and one of each of its files. */
  ownKeys: string[]
  /** In the order of `files`; empty where the files are no session files. */
  fileKeys: FileKeys[]
  sessionId: string
  kind: SessionKind
  /** sessionId of the parent, where this is a sub-agent; the folder name or the shared id. */
  parentSessionId: string | null
  /** Keys, within the same stitched group, of other conversations of the same run. */
  sameRunKeys: string[]
  projectHash: string | null
  /** Earliest recorded in its files; from the file name when none is. */
  startTime: string | null
  lastUpdated: string | null
  summary: string | null
  directories: string[]
  /** All messages ever recorded, in the order in which they are drawn (contract rule 2). */
  messages: Message[]
  /** Left out: all its requests count here. */
  billedElsewhere?: BilledElsewhere[]
  segments: Segment[]
  buried: boolean
  /** Keys of the messages that the page draws unfolded when `buried`; null otherwise. */
  drawnKeys: string[] | null
  /** Keys of the messages at which a later run of the CLI resumed, in order; logs before 0.39 do not say. */
  resumedKeys: string[]
  files: SessionFile[]
  issues: InFile<ParseIssue>[]
  drift: InFile<DriftNote>[]
}
