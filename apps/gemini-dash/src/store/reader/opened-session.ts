import type { Message, Outline, PriceCall, Session } from 'gemini-sessions'
import type { FilePart } from 'gemini-sessions/node'
import type { Written } from '../written-messages.ts'
import type { SessionPlace } from './session-place.ts'

/** A session that is open, for one answer. */
export interface OpenedSession {
  place: SessionPlace
  session: Session
  shelved: {
    /** All sessions in the same files. */
    sessions: readonly Session[]
    /** Adds their large texts. */
    restore: (messages: readonly Message[]) => Promise<Message[]>
    readRecord: (message: Message) => Promise<Uint8Array | FilePart | undefined>
  }
  /** As shown, except for their large texts. */
  messages: Message[]
  outline: () => Outline
  price: PriceCall
  /** Opens another, small session without evicting this one from the cache. */
  withOther: <Read>(
    place: SessionPlace,
    read: (other: OpenedSession) => Promise<Read>,
  ) => Promise<Read | null>
  /** Computed and serialized once, however often a page asks. */
  once: <Answer>(name: string, make: () => Answer) => Written<Answer>
  /** The same for an answer that needs large texts. */
  onceRead: <Answer>(name: string, make: () => Promise<Answer>) => Promise<Written<Answer>>
}
