import type { IndexGroup } from '@gemini-dash/session-index'
import type { MAKERS } from '../answers/makers.ts'
import type { SessionPlace } from '../place/session-place.ts'
import type { ReaderFaultCode } from './reader-fault.ts'

/** What is asked of one session: as the table of makers says. null: no such session, message or output. */
export type ReaderQuestion = keyof typeof MAKERS
export type ReaderArgs<Q extends ReaderQuestion> = SessionPlace & { asked: Asked<(typeof MAKERS)[Q]> }
export type ReaderAnswer<Q extends ReaderQuestion> = Awaited<ReturnType<(typeof MAKERS)[Q]>> | null

type Asked<Maker extends (...parameters: never[]) => unknown> =
  Parameters<Maker> extends [unknown, infer Parameter] ? Parameter : object

/** Files that are read now, so that these sessions are opened faster later. */
export interface Preparation {
  source: IndexGroup
  places: SessionPlace[]
}

export type ReaderRequest =
  | { id: number; question: ReaderQuestion; args: ReaderArgs<ReaderQuestion> }
  | { id: number; question: 'prepare'; args: Preparation }

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
