import { costSchema, supersededSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'

/** Messages that stand together and that the CLI holds no more, for one cause. */
export const sideBranchSchema = z.strictObject({
  cause: supersededSchema,
  /** Key of its first message. */
  firstKey: z.string(),
  firstOffset: z.number(),
  messages: z.number(),
  /** Numbers of the first and last turn that begin in it; null where none does. */
  turns: z.strictObject({ first: z.number(), last: z.number() }).nullable(),
  /** Of its model calls: they stay billed. */
  usage: tokenUsageSchema,
  cost: costSchema,
  /** First line that a person or the model wrote in it; '' if none. */
  firstLine: z.string(),
})
export type SideBranch = z.infer<typeof sideBranchSchema>
