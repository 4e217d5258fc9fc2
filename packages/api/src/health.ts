import { z } from 'zod'

export const healthSchema = z.strictObject({
  version: z.string(),
  homes: z.array(z.strictObject({ path: z.string(), exists: z.boolean() })),
  index: z.strictObject({
    state: z.enum(['building', 'ready']),
    filesDone: z.number(),
    filesTotal: z.number(),
  }),
  /** true when `--demo` serves the sample home. */
  demo: z.boolean(),
})
export type Health = z.infer<typeof healthSchema>
