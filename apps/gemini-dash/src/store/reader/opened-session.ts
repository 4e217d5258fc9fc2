import type { Message, Outline, PriceCall, Session } from 'gemini-sessions'
import type { FilePart } from 'gemini-sessions/node'
import type { Written } from '../written-messages.ts'
import type { SessionPlace } from './session-place.ts'

/** A session that is open, for one answer. */
export interface OpenedSession {
  place: SessionPlace
  session: Session
  shelved: {
    /** All of the same files. */
    sessions: readonly Session[]
    /** With their large texts. */
    restore: (messages: readonly Message[]) => Promise<Message[]>
    readRecord: (message: Message) => Promise<Uint8Array | FilePart | undefined>
  }
  /** As they are shown, but for their large texts. */
  messages: Message[]
  outline: () => Outline
  price: PriceCall
  /** Another session, a small one: it does not take this one's place among those that are held. */
  withOther: <Read>(
    place: SessionPlace,
    read: (other: OpenedSession) => Promise<Read>,
  ) => Promise<Read | null>
  /** Made and written once, however often a page asks. */
  once: <Answer>(name: string, make: () => Answer) => Written<Answer>
  /** The same of an answer that needs large texts. */
  onceRead: <Answer>(name: string, make: () => Promise<Answer>) => Promise<Written<Answer>>
}
