import { z } from 'zod'

/** Of how many of the session files an answer is made: fewer than all while they are read, or where a command needed no more. */
export const coverageSchema = z.strictObject({ filesDone: z.number(), filesTotal: z.number() })
export type Coverage = z.infer<typeof coverageSchema>
