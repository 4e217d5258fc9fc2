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

/** Result of forgetting a session with its sub-agents. */
export type ForgetAnswer = z.infer<typeof forgetAnswerSchema>
export const forgetAnswerSchema = answer({
  /** Ids that are never archived again. */
  sessions: z.number(),
  /** Files that the archive had data of. */
  erased: z.number(),
  /** Absolute paths of its files in a Gemini folder: they are left alone, still shown, and never archived again. */
  stillThere: z.array(z.string()),
})

/** Output of `testbed`. */
export type TestbedAnswer = z.infer<typeof testbedAnswerSchema>
export const testbedAnswerSchema = answer({
  /** Absolute path of the Gemini folder. */
  home: z.string(),
  /** Version of Gemini CLI. */
  cliVersion: z.string(),
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      /** The folder to start the CLI in to see it. */
      project: z.string(),
      /** Its form: `minimal`, `full`, `twins`, … */
      what: z.string(),
      /** Files without any conversation, as left behind by a resume, relative to the Gemini folder. */
      stubs: z.array(z.string()),
    }),
  ),
  /** Every file, by absolute path. */
  writes: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
})
