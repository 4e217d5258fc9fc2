import { z } from 'zod'
import { answer } from './fields.ts'

/** Whether to write, or only to report what would be written. */
export const recoverQuerySchema = z.strictObject({ write: z.enum(['true', 'false']).default('false') })

/** What is, or would be, written to restore a session to its Gemini folder. */
export type RecoverAnswer = z.infer<typeof recoverAnswerSchema>
export const recoverAnswerSchema = answer({
  /** Absolute path of the Gemini folder; null if refused. */
  home: z.string().nullable(),
  /** Relative to that Gemini folder. */
  writes: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
  /** Why nothing is written; empty if nothing prevents it. */
  refused: z.array(z.object({ code: z.string(), message: z.string() })),
  /** What to know beforehand, one sentence each. */
  notes: z.array(z.string()),
  /** Id of the journal entry; null: nothing was written. */
  written: z.string().nullable(),
})

/** Everything ever written in a Gemini folder, the newest first. */
export type WriteJournal = z.infer<typeof writeJournalSchema>
export const writeJournalSchema = answer({
  entries: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      what: z.enum(['recover', 'move', 'fork']),
      /** Shared by several writes that were requested, and are undone, together. */
      batch: z.string().optional(),
      sessionKey: z.string(),
      /** Absolute path. */
      home: z.string(),
      /** `path` is relative to that Gemini folder. */
      files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() })),
      /** When all of it was written and verified; null if it was not. */
      done: z.string().nullable(),
      /** null: nothing of it was removed. */
      removed: z
        .object({
          at: z.string(),
          why: z.enum(['undone', 'did-not-hold', 'failed', 'interrupted']),
          /** Changed since, and therefore not removed. */
          left: z.array(z.string()),
        })
        .nullable(),
    }),
  ),
})

/** The target, and whether to write or only to report what would be written. */
export const moveQuerySchema = z.strictObject({
  /** Absolute path of the project's current folder; without it, folders are suggested. */
  to: z.string().min(1).max(4096).optional(),
  write: z.enum(['true', 'false']).default('false'),
})

/** A folder to move sessions to, and the evidence for it; `evidence` may be empty. */
export type MoveTarget = z.infer<typeof moveTargetSchema>
const moveTargetSchema = z.object({
  /** Absolute path. */
  path: z.string(),
  evidence: z.array(z.object({ kind: z.enum(['git-remote', 'files', 'path-end']), text: z.string() })),
})

/** What is, or would be, written so that sessions are found in another folder. */
export type MoveAnswer = z.infer<typeof moveAnswerSchema>
export const moveAnswerSchema = recoverAnswerSchema.extend({
  /** As the system spells it; null: none was given, or it does not exist. */
  to: z.string().nullable(),
  /** Number of sessions affected. */
  sessions: z.number(),
  /** The given folder, or the suggested ones, the most likely first. */
  targets: z.array(moveTargetSchema),
})

/** The turn to fork at, and whether to write or only to report what would be written. */
export const forkQuerySchema = z.strictObject({
  /** Number of a turn, as in the outline. */
  at: z.coerce.number().int().min(1),
  write: z.enum(['true', 'false']).default('false'),
})

/** What is, or would be, written to continue from an earlier turn in a separate session. */
export type ForkAnswer = z.infer<typeof forkAnswerSchema>
export const forkAnswerSchema = recoverAnswerSchema.extend({
  /** The new session ends before this turn. */
  at: z.number(),
  /** Number of messages in it. */
  messages: z.number(),
  /** Of the new session; null: nothing was written. */
  sessionId: z.string().nullable(),
})

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
