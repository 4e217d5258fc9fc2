import type { Message, SessionSummary } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from './fields.ts'
import { type SessionDetail, searchQuerySchema } from './lists/sessions.ts'
import { exportQuerySchema, type SessionCalls } from './session.ts'

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
  /** `said`: how it was written. */
  top(said: string): Promise<string>
  /** After the last strip. `said`: what only its end can say of how it was written. */
  bottom(said: string | null): Promise<string>
  /** What a strip shows of the session's words, as it was given. */
  wordsOf(index: number): PaperWords
  /** `words`: the same with all that they say, and without what is taken out; `agents`: the conversations below its calls, by key. */
  strip(index: number, words: PaperWords, agents: ReadonlyMap<string, ExportedAgent>): Promise<string>
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

/** A sub-agent's conversation as it leaves inside the call that started it: cut to the depth, without what is taken out. */
export interface ExportedAgent {
  /** Of which its figures are told. */
  session: SessionSummary
  messages: readonly Message[]
}

/**
 * How several sessions leave, as a zip: those of `keys`, with commas between; or those in which a search finds something; or,
 * where a project alone is named, all of it. `keep` holds for all of them.
 */
export const exportSeveralQuerySchema = searchQuerySchema
  .omit({ sort: true, limit: true, cursor: true, timeout: true })
  .extend({ ...exportQuerySchema.shape, keys: z.string().max(7000).optional() })
/** What is asked of it. */
export type ExportSeveralQuery = z.output<typeof exportSeveralQuerySchema>

/** Which sessions leave together, in the order in which they do: each can be reviewed before. */
export const sessionsToExportSchema = answer({
  sessions: z.array(z.object({ key: z.string(), title: z.string() })),
})
export type SessionsToExport = z.infer<typeof sessionsToExportSchema>
