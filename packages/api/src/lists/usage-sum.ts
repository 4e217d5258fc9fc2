import { costSchema, sessionSummarySchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { usageQuerySchema, usageReportSchema } from './usage.ts'

/** Which figure of the usage report is asked about. */
export const usageSumQuerySchema = usageQuerySchema
  .pick({ from: true, to: true, tz: true, project: true })
  .extend({
    /** Calls of this model only; `unknown`: of none that is recorded. */
    model: z.string().max(512).optional(),
  })
export type UsageSumQuery = z.infer<typeof usageSumQuerySchema>

const figures = { usage: tokenUsageSchema, cost: costSchema }

/** What a figure of the usage report is the sum of. */
export const usageSumSchema = answer({
  total: usageReportSchema.shape.total,
  /** The same by model, costliest first. */
  models: z.array(z.strictObject({ name: z.string(), ...figures })),
  /** The same by session, costliest first, at most 50; sub-agents are in the figures of their main session. */
  sessions: z.array(
    z.strictObject({
      key: z.string(),
      title: z.string(),
      kind: sessionSummarySchema.shape.kind,
      project: z.string(),
      startTime: z.string().nullable(),
      ...figures,
    }),
  ),
  /** Of how many sessions those are the largest. */
  sessionTotal: z.number(),
})
export type UsageSum = z.infer<typeof usageSumSchema>
