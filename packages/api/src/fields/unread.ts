import { z } from 'zod'

/** Files that the system did not let us open or read, of those that an answer is made of. Left out of answers where there are none. */
export const unreadSchema = z.strictObject({
  /** Folders that could not be listed count as one. */
  files: z.number(),
  /** How many for each code of the system: `{ "EACCES": 17 }`. */
  reasons: z.record(z.string(), z.number()),
})
export type Unread = z.infer<typeof unreadSchema>
