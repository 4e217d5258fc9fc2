import type { Message, SessionSummary } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from './fields.ts'
import { type SessionDetail, searchQuerySchema } from './lists/sessions.ts'
import { exportQuerySchema, type SessionCalls } from './session.ts'

/** A session to render as HTML: everything but the content of its messages, already redacted. */
export interface PaperSession {
  detail: SessionDetail
  calls: SessionCalls
  /** Those to export, possibly without their large texts yet. */
  messages: readonly Message[]
  /** Their positions in the whole session; null: they are the whole session. */
  offsets: readonly number[] | null
  /** false for users on a plan who want no prices. */
  hasPrices: boolean
  /** IANA name of the zone in which times are shown. */
  zone: string
}

/** A rendered session: the top, the strips in order, and the bottom form one document. */
export interface LaidPaper {
  count: number
  /** `said`: how it was exported, in a sentence. */
  top(said: string): Promise<string>
  /** Follows the last strip. `said`: what is only known at the end about how it was exported. */
  bottom(said: string | null): Promise<string>
  /** The session's text that a strip shows, as given. */
  wordsOf(index: number): PaperWords
  /** `words`: the same with full texts, redacted; `agents`: the conversations below its calls, by key. */
  strip(index: number, words: PaperWords, agents: ReadonlyMap<string, ExportedAgent>): Promise<string>
}

/** `line`: for a fold, the beginning of its messages. */
export interface PaperWords {
  message: Message | null
  line: string | null
}

/** The exports of the page's second entry. The program loads it as a file, since the two apps do not import each other. */
export interface PaperProgram {
  layPaper(session: PaperSession): LaidPaper
}

/** A sub-agent's conversation, exported inside the call that started it: cut to the depth and redacted. */
export interface ExportedAgent {
  /** The source of its figures. */
  session: SessionSummary
  messages: readonly Message[]
}

/**
 * Exports several sessions as a zip: those in `keys` (comma-separated); or those with search results; or, with only a project, all of it.
 * `keep` applies to all of them.
 */
export const exportSeveralQuerySchema = searchQuerySchema
  .omit({ sort: true, limit: true, cursor: true, timeout: true })
  .extend({ ...exportQuerySchema.shape, keys: z.string().max(7000).optional() })
export type ExportSeveralQuery = z.output<typeof exportSeveralQuerySchema>

/** The sessions of an export, in order, so that each can be reviewed before. */
export const sessionsToExportSchema = answer({
  sessions: z.array(z.object({ key: z.string(), title: z.string() })),
})
export type SessionsToExport = z.infer<typeof sessionsToExportSchema>
