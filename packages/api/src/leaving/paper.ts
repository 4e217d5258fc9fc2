import type { Message } from 'gemini-sessions'
import type { SessionDetail } from '../lists/sessions.ts'
import type { SessionCalls } from '../session/session-calls.ts'
import type { LeavingAgent } from './leaving-agent.ts'

/** A session that is drawn as HTML: all but what its messages say, and without what was redacted. */
export interface PaperSession {
  detail: SessionDetail
  calls: SessionCalls
  /** Those that are told, perhaps still without their large texts. */
  messages: readonly Message[]
  /** Their places in the whole session; null: it is the whole session. */
  offsets: readonly number[] | null
  /** Not for who is on a plan and wants no prices. */
  hasPrices: boolean
  /** IANA name: whose clocks are shown. */
  zone: string
}

/** A session as it is drawn: the top, strips from first to last, and what they lead to are one document together. */
export interface LaidPaper {
  count: number
  top(): Promise<string>
  /** After the last strip. `said`: how it was written. */
  bottom(said: string): Promise<string>
  /** What a strip shows of the session's words, as it was given. */
  wordsOf(index: number): PaperWords
  /** `words`: the same with all that they say, and without what is taken out; `agents`: the conversations below its calls, by key. */
  strip(index: number, words: PaperWords, agents: ReadonlyMap<string, LeavingAgent>): Promise<string>
}

/** `line`: of a fold, what the messages in it begin with. */
export interface PaperWords {
  message: Message | null
  line: string | null
}

/** What the page's second entry exports. The program loads it as a file: the two apps do not import each other. */
export interface PaperProgram {
  layPaper(session: PaperSession): LaidPaper
}
