import { parseIssueCodeSchema } from 'gemini-sessions'
import { z } from 'zod'

export const doctorSchema = z.strictObject({
  homes: z.array(z.strictObject({ path: z.string(), exists: z.boolean() })),
  files: z.strictObject({
    found: z.number(),
    sessions: z.number(),
    skipped: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
  }),
  issues: z.array(
    z.strictObject({
      code: parseIssueCodeSchema,
      count: z.number(),
      example: z.strictObject({ path: z.string(), at: z.string() }),
    }),
  ),
  /** What no known CLI version writes: format drift. */
  drift: z.array(
    z.strictObject({ where: z.string(), name: z.string(), count: z.number(), example: z.string() }),
  ),
  /** Files that only repeat what another file holds. */
  duplicates: z.number(),
  retention: z.strictObject({
    /** What the CLI's own settings say; on by default since 0.33. */
    enabled: z.boolean(),
    maxAgeDays: z.number().nullable(),
    expiring: z.array(z.strictObject({ sessionKey: z.string(), deletedAfter: z.string() })),
  }),
  cache: z.strictObject({ path: z.string().nullable(), sizeBytes: z.number() }),
})
export type Doctor = z.infer<typeof doctorSchema>
