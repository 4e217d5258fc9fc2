import { costSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { timeField, zoneField } from './query-fields.ts'

export const usageQuerySchema = z.object({
  by: z.enum(['day', 'model', 'project', 'tool', 'session']).default('day'),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  project: z.string().max(4096).optional(),
})
export type UsageQuery = z.infer<typeof usageQuerySchema>

export const usageRowSchema = z.strictObject({
  /** Day `YYYY-MM-DD`, model, project key, tool name or session key. */
  key: z.string(),
  label: z.string(),
  /** null for `by=tool`: a call's tokens are not given to each of its tools. */
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  calls: z.number(),
  sessions: z.number(),
  /** `by=tool` only. */
  errors: z.number().optional(),
  outputTokensEstimate: z.number().optional(),
  /** `by=day` only: the same day by model, largest first. */
  models: z.array(z.strictObject({ name: z.string(), usage: tokenUsageSchema, cost: costSchema })).optional(),
})
export type UsageRow = z.infer<typeof usageRowSchema>

export const usageReportSchema = z.strictObject({
  rows: z.array(usageRowSchema),
  total: z.strictObject({
    usage: tokenUsageSchema,
    cost: costSchema,
    calls: z.number(),
    sessions: z.number(),
  }),
})
export type UsageReport = z.infer<typeof usageReportSchema>
