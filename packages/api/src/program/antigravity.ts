import { z } from 'zod'

/** Conversations of Antigravity that lie in a home and are not read; left out where there are none. */
export const antigravitySchema = z
  .strictObject({
    /** Names of the folders in the home. */
    folders: z.array(z.string()),
    conversations: z.number(),
    /** The same in a sentence. */
    text: z.string(),
  })
  .optional()
export type Antigravity = NonNullable<z.infer<typeof antigravitySchema>>
