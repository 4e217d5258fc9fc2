import { z } from 'zod'
import { recoverAnswerSchema } from './recover.ts'

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
