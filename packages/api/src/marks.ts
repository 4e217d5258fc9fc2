import { z } from 'zod'
import { answer } from './fields.ts'

/** The length of a handwritten note, generously. */
const MOST_NOTE = 20_000
const MOST_TITLE = 300
const MOST_TAGS = 50
const MOST_VIEWS = 200
/** No commas and no surrounding spaces, so that several tags can be typed in one field. */
const tagSchema = z
  .string()
  .trim()
  .min(1, 'A tag has at least one character.')
  .max(64)
  .regex(/^[^,\p{Cc}]+$/u, 'A tag holds neither commas nor line breaks.')

/** Changes to the star, note and tags of a session. Only the given fields change; "", null and [] clear a field. */
export const markChangeSchema = z.strictObject({
  star: z.boolean().optional(),
  note: z.string().max(MOST_NOTE).optional(),
  tags: z.array(tagSchema).max(MOST_TAGS).optional(),
  /** Replaces the recorded title; null restores it. */
  title: z.string().trim().min(1).max(MOST_TITLE).nullable().optional(),
  /** ISO time of the newest message seen; null: none. */
  seen: z.iso.datetime().nullable().optional(),
})
export type MarkChange = z.infer<typeof markChangeSchema>

/** The same for a message, which has neither tags nor a title. */
export const messageMarkChangeSchema = markChangeSchema.pick({ star: true, note: true })
export type MessageMarkChange = z.infer<typeof messageMarkChangeSchema>

const messageMarkSchema = z.strictObject({ star: z.boolean(), note: z.string() })
/** Star and note of a message. */
export type MessageMark = z.infer<typeof messageMarkSchema>

/** Star, note and tags of a session; `''` and empty lists if unset. */
const markSchema = z.strictObject({
  star: z.boolean(),
  note: z.string(),
  tags: z.array(z.string()),
  title: z.string().nullable(),
  seen: z.string().nullable(),
  /** By message key; only messages that have a star or a note. */
  messages: z.record(z.string(), messageMarkSchema),
})
/** Star, note, tags, title and messages of a session. */
export type SessionMark = z.infer<typeof markSchema>

/** Only those of one session, by any form of its key. */
export const markQuerySchema = z.object({ session: z.string().min(1).max(400).optional() })

/** By the session's current key; for a session that no longer exists, by the key used when it was set. */
export const markListSchema = answer({ marks: z.record(z.string(), markSchema) })
export type MarkList = z.infer<typeof markListSchema>

/** The star, note and tags of the session after a change. */
export const markAnswerSchema = answer({
  /** null: none are left. */
  mark: markSchema.nullable(),
})
export type MarkAnswer = z.infer<typeof markAnswerSchema>

/** A named page URL. */
export const viewSchema = z.strictObject({
  name: z.string().trim().min(1, 'A view has a name.').max(100),
  /** Path and query of a page in this program. */
  href: z
    .string()
    .max(4_000)
    .regex(
      /^\/(?!\/)[^\\\p{Cc}]*$/u,
      'A view leads to a page of gemini-dash: its address begins with one "/".',
    ),
})
export type View = z.infer<typeof viewSchema>

/** `marks export` and `marks import`: how much was written, or how much was new. */
export const markTransferSchema = answer({ file: z.string(), entries: z.int(), views: z.int() })

/** How much of a marks file was new. */
export const marksTakenSchema = answer({ entries: z.int(), views: z.int() })
export type MarksTaken = z.infer<typeof marksTakenSchema>

/** All views, in their order. */
export const viewListSchema = answer({ views: z.array(viewSchema).max(MOST_VIEWS) })
export type ViewList = z.infer<typeof viewListSchema>
/**
 * The complete list of views from now on. `seen`: the names of the views it is based on; views that others saved or removed since are left
 * as they are.
 */
export const viewChangeSchema = z.strictObject({
  views: z.array(viewSchema).max(MOST_VIEWS, `there may be ${MOST_VIEWS} views at most`),
  seen: z.array(z.string()).max(MOST_VIEWS).optional(),
})
export type ViewChange = z.infer<typeof viewChangeSchema>
