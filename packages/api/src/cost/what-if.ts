import { costSchema } from 'gemini-sessions'
import { z } from 'zod'
import { versionField } from '../fields/answer.ts'

/**
 * What the same tokens would have cost under other conditions, call by call, at the prices of each call's day.
 * The tokens stay as recorded: another model would have used others, and without a cache nothing else changes.
 */
export const whatIfSchema = z.strictObject({
  /** As it was. */
  cost: costSchema,
  /** Calls with recorded tokens: those that are priced here. */
  calls: z.number(),
  /** Had every cached token been sent as a fresh one. */
  withoutCache: z.strictObject({ cost: costSchema, cachedTokens: z.number() }),
  /** Every call at its model's lowest tier. `calls`: how many were above it; `aboveInputTokens`: where the tier ends. */
  atLowestTier: z.strictObject({
    cost: costSchema,
    calls: z.number(),
    aboveInputTokens: z.number().nullable(),
  }),
  /** On one model of the price list for all calls, the cheapest first. */
  onModels: z.array(z.strictObject({ model: z.string(), cost: costSchema, wasUsed: z.boolean() })),
})
export type WhatIf = z.infer<typeof whatIfSchema>

/** Whose calls are priced once more. */
export const whatIfQuerySchema = z.object({
  /** Whether the calls of the sub-agents that it started are in it. */
  subagents: z.enum(['include', 'exclude']).default('exclude'),
})
export type WhatIfQuery = z.infer<typeof whatIfQuerySchema>

/** Of a session; `agents`: sub-agents that are counted in, `agentsLeftOut`: more than are read for one answer. */
export const sessionWhatIfSchema = whatIfSchema.extend({
  ...versionField,
  agents: z.number(),
  agentsLeftOut: z.number(),
})
export type SessionWhatIf = z.infer<typeof sessionWhatIfSchema>
