import { z } from 'zod'

/** How much of a conversation is told; each holds all that stands before it. */
export const DEPTHS = ['prompts', 'talk', 'thoughts', 'tools', 'all'] as const
export type Depth = (typeof DEPTHS)[number]

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a whole number')
  .transform(Number)

/** What of a session is told: how much, one turn by its number, the last so many turns. Nothing given: all of it. */
export const partQuerySchema = z.object({
  depth: z.enum(DEPTHS).optional(),
  turn: wholeNumber.optional(),
  last: wholeNumber.refine((count) => count > 0, 'is none').optional(),
})
export type PartQuery = z.output<typeof partQuerySchema>
