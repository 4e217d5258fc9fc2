import { messageSchema, sessionSummarySchema, turnSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { limitField, zoneField } from '../fields/query-fields.ts'

/** Which blocks of a conversation to read: what was asked and answered, what failed, what was changed, what ran, what was thought. */
export const messageFilterSchema = z.enum(['dialogue', 'errors', 'edits', 'shell', 'thoughts'])

export type MessageFilter = z.infer<typeof messageFilterSchema>

/** No text field in `/messages` is longer than this; a cut one carries `cut: { sizeBytes, href }`. */
export const MAX_FIELD_BYTES = 64 * 1024

/** Which messages of a session, and which page of them. */
export const messageQuerySchema = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: limitField(100),
  superseded: z.enum(['include', 'exclude']).default('include'),
  /** Only the messages with such a block; `offset`, `total` and `around` then count those alone. */
  show: messageFilterSchema.optional(),
  /** A message key: the page begins so that this message is in it (at about a third); `offset` is then ignored. */
  around: z.string().max(400).optional(),
  /** The first messages of a long session that was not opened yet may be answered alone, before it is read: see `partial`. */
  partial: z.enum(['allow']).optional(),
})
export type MessageQuery = z.infer<typeof messageQuerySchema>

/** Messages as they are drawn, in the order of the session. */
export const messagePageSchema = answer({
  messages: z.array(messageSchema),
  /** Position of the first message of this page in the whole list. */
  offset: z.number(),
  /** null: not known yet, as only a part of the session was read. */
  total: z.number().nullable(),
  nextOffset: z.number().nullable(),
  /**
   * Only the beginning of the session has been replayed: what it says may still be taken back, replaced or added to. Only
   * where that was allowed; asked again without, the same page is whole.
   */
  partial: z.boolean(),
  /** Of which state of the session's files this is: what is told of a session in the same state belongs together. */
  state: z.string(),
  /** With `show`: where each message stands in the whole session (0-based). */
  positions: z.array(z.number()).optional(),
  /** With `partial`: its row, and the turns that are told whole. */
  session: sessionSummarySchema.optional(),
  outline: z.array(turnSchema).optional(),
})
export type MessagePage = z.infer<typeof messagePageSchema>

/** Which output of a call: what the model got, what the CLI drew, or the n-th part beside it. */
export const toolOutputQuerySchema = z.object({
  of: z
    .string()
    .regex(/^(output|display|extra-\d{1,6})$/, {
      message: 'is one of output, display, extra-0, extra-1, ...',
    })
    .default('output'),
})

/** The record as the file holds it, with its place. `record` is JSON; `null` where only text could be read. */
export const rawRecordSchema = answer({
  file: z.string(),
  line: z.number().nullable(),
  index: z.number().nullable(),
  record: z.unknown(),
})
export type RawRecord = z.infer<typeof rawRecordSchema>

/** The same language as a search over all sessions. */
export const findQuerySchema = z.object({
  q: z.string().max(1024).default(''),
  mode: z.enum(['words', 'substring', 'regex']).default('words'),
  tz: zoneField.optional(),
  /** The message to begin with, where a find that stopped goes on. */
  offset: z.coerce.number().int().min(0).default(0),
})
export type FindQuery = z.infer<typeof findQuerySchema>

/** What a search in one session found. */
export const findResultSchema = answer({
  /** Hits in the session, in reading order, up to where it stopped. */
  hits: z.array(
    z.strictObject({
      messageKey: z.string(),
      offset: z.number(),
      field: z.string(),
      snippet: z.string(),
      ranges: z.array(z.tuple([z.number(), z.number()])),
    }),
  ),
  total: z.number(),
  /** null: all of it was searched, or the rest behind `offset`. */
  partial: z
    .strictObject({
      /** The first message that was not searched when the time was over; null: none. */
      nextOffset: z.number().nullable(),
      /** Messages that were not searched whole, as the pattern takes too long on them. */
      messagesLeftOut: z.number(),
    })
    .nullable(),
})
export type FindResult = z.infer<typeof findResultSchema>
