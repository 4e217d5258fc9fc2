import { costSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { costReportSchema } from './cost-report.ts'

/** How the cost of a session came about, apart and together with the sub-agents that it started. */
export const sessionCostSchema = costReportSchema.extend({
  /** null: of a turn, or where no sub-agent was started. */
  family: z
    .strictObject({
      /** Sub-agents and theirs, each as a session of its own; null: not read yet. */
      subagents: z.array(
        z.strictObject({
          sessionKey: z.string(),
          title: z.string(),
          usage: tokenUsageSchema.nullable(),
          cost: costSchema.nullable(),
        }),
      ),
      /** The session and all of them. */
      together: z.strictObject({ usage: tokenUsageSchema.nullable(), cost: costSchema.nullable() }),
    })
    .nullable(),
})
export type SessionCost = z.infer<typeof sessionCostSchema>
