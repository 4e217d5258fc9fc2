import { costSchema, sessionFailuresSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { budgetReportSchema } from '../cost/budget.ts'
import { answer, coverageSchema, unreadSchema } from '../fields/answer.ts'
import { timeField, zoneField } from '../fields/query-fields.ts'

/** By what usage is summed, over which days and project. */
export const usageQuerySchema = z.object({
  by: z.enum(['day', 'hour-of-week', 'model', 'project', 'tool', 'session']).default('day'),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  project: z.string().max(4096).optional(),
  /** `by=day` only: what each day is made of besides its models. */
  split: z.enum(['model', 'project']).optional(),
  /** `tokens`: those with most tokens first. Without it days and hours stand in their order, all others by cost. */
  order: z.enum(['tokens']).optional(),
  /** So many rows at most; the total is that of all. */
  limit: z.coerce.number().int().min(1).optional(),
  /** `csv`: the rows as a file; with `split`, a line for each part of a day. */
  format: z.enum(['json', 'csv']).default('json'),
})
export type UsageQuery = z.infer<typeof usageQuerySchema>

const partFields = { usage: tokenUsageSchema, cost: costSchema, sessions: z.number() }

/** The usage of one day, model, project, tool or session. */
export const usageRowSchema = z.strictObject({
  /** Day `YYYY-MM-DD`, hour of the week `1-00` (Monday) to `7-23`, model, project key, tool name or session key (a sub-agent is in the row of its main session, if that is there). */
  key: z.string(),
  /** The key as a person reads it. */
  label: z.string(),
  /** null for `by=tool`: a call's tokens are not given to each of its tools. */
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  /** Of models; `by=tool`: of the tool. */
  calls: z.number(),
  /** Main sessions; sub-agents are part of theirs. */
  sessions: z.number(),
  /** `by=session` only, and only of a session with sub-agents: its own share of `usage` and `cost`, which have theirs in them. */
  own: z.strictObject({ usage: tokenUsageSchema, cost: costSchema }).optional(),
  /** `by=tool` only. */
  errors: z.number().optional(),
  /** `by=tool` only: what its outputs sent to the model, estimated by their length. */
  outputTokensEstimate: z.number().optional(),
  /** From answers to results: at most, as starts are not recorded; of the `timedCalls` whose times are. */
  maxTimeMs: z.number().optional(),
  timedCalls: z.number().optional(),
  /** `by=day` only: the same day by model, largest first. Sessions of several models count at each. */
  models: z.array(z.strictObject({ name: z.string(), ...partFields })).optional(),
  /** `by=day` with `split=project` only: the same day by project, largest first. */
  projects: z.array(z.strictObject({ key: z.string(), name: z.string(), ...partFields })).optional(),
})
export type UsageRow = z.infer<typeof usageRowSchema>

/** Rows, and the sum of all of them: each token once. */
export const usageReportSchema = answer({
  rows: z.array(usageRowSchema),
  total: z.strictObject({
    usage: tokenUsageSchema,
    cost: costSchema,
    calls: z.number(),
    sessions: z.number(),
    /** What failed in these sessions and their sub-agents, as in a list of them; like tools, it follows the range of the main session. */
    failures: sessionFailuresSchema,
  }),
  /** Of `usage --json` where a budget is set: the month that runs, whatever range was asked for. */
  budgets: budgetReportSchema.optional(),
  coverage: coverageSchema,
  /** Of all that the answer could be made of. */
  unread: unreadSchema.optional(),
})
export type UsageReport = z.infer<typeof usageReportSchema>
