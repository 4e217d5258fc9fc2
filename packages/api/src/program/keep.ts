import { z } from 'zod'
import { answer } from '../fields/answer.ts'

const limitsSchema = z.strictObject({
  /** What the archive may hold, compressed; null: as much as the disk does. */
  maxBytes: z.number().nullable(),
  /** What was last written longer ago is not taken in; null: however old. */
  maxAgeDays: z.number().nullable(),
})
/** How much the archive may hold, and of what age. */
export type KeepLimits = z.infer<typeof limitsSchema>

/** The archive of what Gemini CLI deletes: what it holds, and how it stands. */
export const keepStatusSchema = answer({
  /** Whether what changes in these homes is kept. */
  enabled: z.boolean(),
  /** Main sessions that the archive holds a file of. */
  sessions: z.number(),
  /** Of these, what is in no home any more, as a whole or in part. */
  onlyHere: z.number(),
  files: z.number(),
  /** Of all versions of all files, as they were read. */
  rawBytes: z.number(),
  /** What they take on disk, `goneBytes` included. */
  storedBytes: z.number(),
  /** Of that, what is not in its home any more, laid out uncompressed to be read. */
  goneBytes: z.number(),
  /** When all files were looked at last. */
  lastRun: z.string().nullable(),
  /** Versions of files that cannot be given back as they were, because what was stored of them is damaged. */
  damaged: z.number(),
  damagedFiles: z.array(z.strictObject({ home: z.string(), path: z.string(), firstSeen: z.string() })),
  limits: limitsSchema,
  /** What the last run could not keep, and why, in a sentence; null: it kept everything. */
  problem: z.string().nullable(),
  /** Of what kind that is: the archive holds as much as it may, the disk is full, or else. */
  hindrance: z.enum(['limit', 'no-room', 'other']).nullable(),
  /** How far the look is that goes on in this process. `waiting`: another process has the archive; null: none goes on. */
  running: z.strictObject({ waiting: z.boolean(), done: z.number(), total: z.number() }).nullable(),
  /** `kept`: what changes in it is kept. One that is not there just now has lost nothing. */
  homes: z.array(z.strictObject({ path: z.string(), exists: z.boolean(), kept: z.boolean() })),
  /** Where the archive is; null: nothing can be kept, as with `--no-cache`. */
  folder: z.string().nullable(),
})
export type KeepStatus = z.infer<typeof keepStatusSchema>

/** What is left out stays as it is. */
export const keepChangeSchema = z.strictObject({
  enabled: z.boolean().optional(),
  /** All that is kept of these homes is gone for good, and they are not kept any more. */
  erase: z.literal(true).optional(),
  limits: z
    .strictObject({
      maxBytes: z.number().int().positive('is not more than 0').nullable().optional(),
      maxAgeDays: z.number().positive('is not more than 0').nullable().optional(),
    })
    .optional(),
})
export type KeepChange = z.infer<typeof keepChangeSchema>
