import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** Fields of an item. */
export const whyItemFields = {
  /**
   * `superseded`: calls that were taken back or replaced, and billed; `tier`: what the higher rate of long inputs came to on
   * top; `resent`: results of tools that went along once more, estimated; `thoughts`; `rest`: all else.
   */
  kind: z.enum(['superseded', 'tier', 'resent', 'thoughts', 'rest']),
  /** Its part of the total. */
  usd: z.number(),
  /** What it was, in a sentence. */
  text: z.string(),
  /** Messages that show it, at most 100. */
  messageKeys: z.array(z.string()),
}

/** Where the cost of a session went: each dollar once, in this order of kinds; the items add up to the total. */
export const costWhySchema = answer({
  /** null: no price is known of any call. */
  total: z.number().nullable(),
  /** What came to nothing is left out, but never `rest`. */
  items: z.array(z.strictObject(whyItemFields)),
})
export type CostWhy = z.infer<typeof costWhySchema>
