import { z } from 'zod'
import { answer } from '../fields/answer.ts'

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
      what: z.enum(['recover', 'move']),
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
