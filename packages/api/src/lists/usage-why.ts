import { z } from 'zod'
import { costWhySchema, whyItemFields } from '../cost/cost-why.ts'
import { answer, coverageSchema, unreadSchema } from '../fields/answer.ts'
import { usageSumQuerySchema } from './usage-sum.ts'

/** Of which figure of the usage report, as when its sum is asked for. */
export const usageWhyQuerySchema = usageSumQuerySchema
export type UsageWhyQuery = z.infer<typeof usageWhyQuerySchema>

/** Where the cost of all sessions of a usage report went: each dollar once. */
export const usageWhySchema = answer({
  total: costWhySchema.shape.total,
  items: z.array(
    z.strictObject({
      ...whyItemFields,
      /** Sessions in which most of it was spent, at most 5. */
      sessions: z.array(z.strictObject({ key: z.string(), title: z.string(), usd: z.number() })),
    }),
  ),
  coverage: coverageSchema,
  unread: unreadSchema.optional(),
})
export type UsageWhy = z.infer<typeof usageWhySchema>
