import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** So much a person writes by hand; more is no note. */
const MOST_NOTE = 20_000
const MOST_TITLE = 300
const MOST_TAGS = 50
const MOST_VIEWS = 200
/** No comma and no space at an end, so that tags can be typed one after the other. */
const tagSchema = z
  .string()
  .trim()
  .min(1, 'A tag has at least one character.')
  .max(64)
  .regex(/^[^,\p{Cc}]+$/u, 'A tag holds neither commas nor line breaks.')

/** What a person says of a session. Only what is named changes; "", null and [] take something back. */
export const markChangeSchema = z.strictObject({
  star: z.boolean().optional(),
  note: z.string().max(MOST_NOTE).optional(),
  tags: z.array(tagSchema).max(MOST_TAGS).optional(),
  /** Instead of the title that was recorded; null takes it back. */
  title: z.string().trim().min(1).max(MOST_TITLE).nullable().optional(),
  /** ISO time of the newest message that was seen; null: none. */
  seen: z.iso.datetime().nullable().optional(),
})
export type MarkChange = z.infer<typeof markChangeSchema>

/** The same of one message, which has neither tags nor a title. */
export const messageMarkChangeSchema = markChangeSchema.pick({ star: true, note: true })
export type MessageMarkChange = z.infer<typeof messageMarkChangeSchema>

const messageMarkSchema = z.strictObject({ star: z.boolean(), note: z.string() })
/** What a person said of one message. */
export type MessageMark = z.infer<typeof messageMarkSchema>

/** What is said of a session; `''` and empty lists where nothing is. */
export const markSchema = z.strictObject({
  star: z.boolean(),
  note: z.string(),
  tags: z.array(z.string()),
  title: z.string().nullable(),
  seen: z.string().nullable(),
  /** Of single messages, by their keys; only those that have one. */
  messages: z.record(z.string(), messageMarkSchema),
})
/** Everything that a person said of a session. */
export type SessionMark = z.infer<typeof markSchema>

/** Only what was said of one session, by any form of its key. */
export const markQuerySchema = z.object({ session: z.string().min(1).max(400).optional() })

/** By the key that the session has now; of one that is gone, by that under which it was said. */
export const markListSchema = answer({ marks: z.record(z.string(), markSchema) })
export type MarkList = z.infer<typeof markListSchema>

/** What is said of the session after a change. */
export const markAnswerSchema = answer({
  /** null: nothing is said of it any more. */
  mark: markSchema.nullable(),
})
export type MarkAnswer = z.infer<typeof markAnswerSchema>

/** A name for an address of a page. */
export const viewSchema = z.strictObject({
  name: z.string().trim().min(1, 'A view has a name.').max(100),
  /** Path and query of a page of this program. */
  href: z
    .string()
    .max(4_000)
    .regex(
      /^\/(?!\/)[^\\\p{Cc}]*$/u,
      'A view leads to a page of gemini-dash: its address begins with one "/".',
    ),
})
export type View = z.infer<typeof viewSchema>

/** `marks export` and `marks import`: how much was written, or was new. */
export const markTransferSchema = answer({ file: z.string(), entries: z.int(), views: z.int() })

/** How much of a file of marks was new here. */
export const marksTakenSchema = answer({ entries: z.int(), views: z.int() })
export type MarksTaken = z.infer<typeof marksTakenSchema>

/** All views, in their order. */
export const viewListSchema = answer({ views: z.array(viewSchema).max(MOST_VIEWS) })
export type ViewList = z.infer<typeof viewListSchema>
/**
 * All views as they are from now on: whoever changes one sends all. `seen`: the names of those that this was made of; what
 * others saved or removed since stays so.
 */
export const viewChangeSchema = z.strictObject({
  views: z.array(viewSchema).max(MOST_VIEWS, `there may be ${MOST_VIEWS} views at most`),
  seen: z.array(z.string()).max(MOST_VIEWS).optional(),
})
export type ViewChange = z.infer<typeof viewChangeSchema>
