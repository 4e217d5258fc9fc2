import type {
  CallExplanation,
  CostReport,
  FileHistoryEntry,
  FindResult,
  MessagePage,
  MessageQuery,
  RawRecord,
  SessionCalls,
  SessionDetail,
  SessionMap,
  TranscriptQuery,
  WhatIf,
} from '@gemini-dash/api'
import type { IndexGroup } from '@gemini-dash/session-index'
import type {
  ContextXray,
  FileChange,
  Message,
  Neighbours,
  Part,
  Reasoning,
  SubagentRef,
  Timeline,
  TimelineWindow,
  ToolOutput,
  TouchedFile,
  Waste,
} from 'gemini-sessions'
import type { FoundFile, ProjectPlace } from 'gemini-sessions/node'
import type { RecordInFile } from '../../messages/raw-record.ts'
import type { Written } from '../../messages/written.ts'
import type { FindRequest } from '../../search/to-find-request.ts'
import type { ReaderFaultCode } from './reader-fault.ts'

/** An image, file or text of a message, whole. */
export interface PartContent {
  mimeType: string
  bytes: Uint8Array
}

/** Which session is meant, and what only the whole home knows of it. */
export interface SessionPlace {
  source: IndexGroup
  /** The key that the session's own files give it. */
  ownKey: string
  /** The row was made of a head, which may have told too little: then the first session of the files is meant. */
  isProvisional?: boolean
  /** The key under which it is shown: links in the answer use it. */
  shownKey: string
  subagents: SubagentRef[]
  /** It is being written: a prompt that nothing answered may yet be. */
  isLive?: boolean
}

/** A session whose calls are looked at for the files that they touched. */
export interface TouchingPlace extends SessionPlace {
  /** Of its project; null where it is not known. */
  root: string | null
  isAgent: boolean
}

/** A message whose calls touched a file. */
export type TouchingMessage = Omit<FileHistoryEntry, 'session'>

export type DetailParts = Omit<SessionDetail, 'session' | 'state' | 'related'>

/** What can be asked of the reader, and what comes back. null: no such session, message or output. */
export interface ReaderAnswers {
  detail: { args: SessionPlace; answer: Written<DetailParts> | null }
  page: { args: SessionPlace & { query: MessageQuery }; answer: Omit<MessagePage, 'state'> | null }
  map: { args: SessionPlace; answer: Written<SessionMap> | null }
  calls: { args: SessionPlace; answer: Written<SessionCalls> | null }
  transcript: { args: SessionPlace & { query: TranscriptQuery }; answer: string | null }
  messages: { args: SessionPlace; answer: Message[] | null }
  raw: { args: SessionPlace & { messageKey: string }; answer: Written<RawRecord> | RecordInFile | null }
  cost: { args: SessionPlace & { messageKey: string }; answer: CallExplanation | null }
  costReport: { args: SessionPlace & { turn: number | undefined }; answer: CostReport | null }
  output: { args: SessionPlace & { callId: string; of: string }; answer: ToolOutput | Part | null }
  part: { args: SessionPlace & { messageKey: string; index: number }; answer: PartContent | null }
  find: { args: SessionPlace & FindRequest; answer: FindResult | null }
  reasoning: { args: SessionPlace; answer: Reasoning | null }
  context: { args: SessionPlace; answer: ContextXray | null }
  waste: { args: SessionPlace; answer: Waste | null }
  whatIf: { args: SessionPlace; answer: WhatIf | null }

  timeline: {
    args: SessionPlace & { window: TimelineWindow | undefined; maxSteps: number }
    answer: Timeline | null
  }
  files: { args: TouchingPlace; answer: TouchedFile[] | null }
  fileChange: { args: TouchingPlace & { path: string }; answer: FileChange | null }
  fileCalls: {
    args: TouchingPlace & { path: string; messageKeys: string[] }
    answer: TouchingMessage[] | null
  }
  beside: { args: SessionPlace & { folders: ProjectPlace[] }; answer: Neighbours | null }
  prepare: { args: { source: IndexGroup; places: SessionPlace[] }; answer: null }
  besideFile: { args: SessionPlace & { folders: ProjectPlace[]; fileId: string }; answer: FoundFile | null }
}

export type ReaderQuestion = keyof ReaderAnswers

/** A reader has a method for each question. */
export type Reader = {
  [Q in ReaderQuestion]: (args: ReaderAnswers[Q]['args']) => Promise<ReaderAnswers[Q]['answer']>
}

export interface ReaderRequest<Q extends ReaderQuestion = ReaderQuestion> {
  id: number
  question: Q
  args: ReaderAnswers[Q]['args']
}

export interface ReaderWorkerData {
  /** Where what is held of large sessions outlives the run; null: nowhere. */
  skeletonDirectory: string | null
  /** Counts while the thread's loop turns. */
  heart: Int32Array
}

export type ReaderResponse =
  | { id: number; answer: unknown }
  | { id: number; failure: string }
  | { id: number; fault: ReaderFaultCode }
  /** Of no question: why what was made of an opened session cannot be kept on disk; null: it was. */
  | { problem: string | null }
