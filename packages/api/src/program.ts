import { z } from 'zod'
import { answer } from './fields.ts'

/** Whether it is written, or only told what would be. */
export const recoverQuerySchema = z.strictObject({ write: z.enum(['true', 'false']).default('false') })

/** What is, or would be, written to bring a session back into its home. */
export type RecoverAnswer = z.infer<typeof recoverAnswerSchema>
export const recoverAnswerSchema = answer({
  /** Absolute path of the home; null: it is refused. */
  home: z.string().nullable(),
  /** Relative to that home. */
  writes: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
  /** Why nothing is written; empty: nothing stands against it. */
  refused: z.array(z.object({ code: z.string(), message: z.string() })),
  /** What is to be known beforehand, a sentence each. */
  notes: z.array(z.string()),
  /** Id of the entry in the journal; null: nothing was written. */
  written: z.string().nullable(),
})

/** Everything that was ever written under a home, the newest first. */
export type WriteJournal = z.infer<typeof writeJournalSchema>
export const writeJournalSchema = answer({
  entries: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      what: z.enum(['recover', 'move', 'fork']),
      /** What several writes were asked for as one by, and are undone by. */
      batch: z.string().optional(),
      sessionKey: z.string(),
      /** Absolute path. */
      home: z.string(),
      /** `path` is relative to that home. */
      files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() })),
      /** When all of it was written and read back; null: it was not. */
      done: z.string().nullable(),
      /** null: nothing of it was removed again. */
      removed: z
        .object({
          at: z.string(),
          why: z.enum(['undone', 'did-not-hold', 'failed', 'interrupted']),
          /** Changed since, and therefore left. */
          left: z.array(z.string()),
        })
        .nullable(),
    }),
  ),
})

/** Where to, and whether it is written, or only told what would be. */
export const moveQuerySchema = z.strictObject({
  /** Absolute path of the folder in which the project lies now; without it folders are proposed. */
  to: z.string().min(1).max(4096).optional(),
  write: z.enum(['true', 'false']).default('false'),
})

/** A folder that sessions can be moved to, and what speaks for it: nothing where `evidence` is empty. */
export type MoveTarget = z.infer<typeof moveTargetSchema>
const moveTargetSchema = z.object({
  /** Absolute path. */
  path: z.string(),
  evidence: z.array(z.object({ kind: z.enum(['git-remote', 'files', 'path-end']), text: z.string() })),
})

/** What is, or would be, written to have sessions found in another folder. */
export type MoveAnswer = z.infer<typeof moveAnswerSchema>
export const moveAnswerSchema = recoverAnswerSchema.extend({
  /** As the system calls it; null: none was named, or it is not there. */
  to: z.string().nullable(),
  /** How many sessions that is about. */
  sessions: z.number(),
  /** The folder that was named, else those that are proposed, the likeliest first. */
  targets: z.array(moveTargetSchema),
})

/** Before which turn, and whether it is written, or only told what would be. */
export const forkQuerySchema = z.strictObject({
  /** Number of a turn, as in the outline. */
  at: z.coerce.number().int().min(1),
  write: z.enum(['true', 'false']).default('false'),
})

/** What is, or would be, written to go on from an earlier turn in a session of its own. */
export type ForkAnswer = z.infer<typeof forkAnswerSchema>
export const forkAnswerSchema = recoverAnswerSchema.extend({
  /** The turn before which the new session ends. */
  at: z.number(),
  /** How many messages it has. */
  messages: z.number(),
  /** Of the new session; null: nothing was written. */
  sessionId: z.string().nullable(),
})

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
const markSchema = z.strictObject({
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
