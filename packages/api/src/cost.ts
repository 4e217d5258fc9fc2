import { costSchema, supersededSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer, versionField, zoneField } from './fields.ts'

/**
 * Why a call has no price, or only part of one. `no-tokens`: no tokens are recorded; `no-breakdown`: only their total is; `bad-numbers`: a
 * figure is not a count; `unknown-figures`: some tokens have an unknown name or form, only the others are priced; `mixed-output`: the
 * output is priced as text, but images, sound or video cost more. `bad-time`, `no-model`: the time or model is missing or invalid;
 * `routing-name`: the name stands for a choice between models; `unknown-model`; `unpriced-model`: the list has no price for these tokens;
 * `plan`: the user is on a plan and wants no prices.
 */
const unknownCostReasonSchema = z.enum([
  'no-tokens',
  'no-breakdown',
  'bad-numbers',
  'unknown-figures',
  'mixed-output',
  'bad-time',
  'no-model',
  'routing-name',
  'unknown-model',
  'unpriced-model',
  'plan',
])
export type UnknownCostReason = z.infer<typeof unknownCostReasonSchema>

/** One product of the sum. `input` is fresh input, excluding the cached part. */
const costTermSchema = z.strictObject({
  kind: z.enum(['input', 'cached', 'output', 'thoughts', 'tool']),
  tokens: z.number(),
  usdPerMillion: z.number().nullable(),
  usd: z.number().nullable(),
})
export type CostTerm = z.infer<typeof costTermSchema>

/** Calls superseded for one cause; they were billed anyway. */
export const supersededSumSchema = z.strictObject({
  cause: supersededSchema,
  usage: tokenUsageSchema,
  cost: costSchema,
})

/** How the cost of many calls was calculated. Every sum is exact: to the token, and to 10⁻¹¹ USD. */
export const costReportSchema = answer({
  /** Of all requested calls, including superseded ones. */
  usage: tokenUsageSchema,
  cost: costSchema,
  /** A caveat to show with each of these costs; left out if none. */
  caveat: z.string().optional(),
  /** Calls with the same model, price and tier, with their tokens by rate; the most expensive first. */
  rates: z.array(
    z.strictObject({
      model: z.string().nullable(),
      /** The name under which the price is listed. */
      priced: z.string().nullable(),
      source: z.enum(['list', 'user']),
      edition: z.string(),
      since: z.string().nullable(),
      /** Applies to calls with more than the first and at most the second number of input tokens; null: no limit. */
      aboveInputTokens: z.number(),
      upToInputTokens: z.number().nullable(),
      calls: z.number(),
      terms: z.array(costTermSchema),
      usd: z.number(),
    }),
  ),
  /** Calls missing from the sums of money, or only partly included, by reason. */
  unknown: z.array(
    z.strictObject({ reason: unknownCostReasonSchema, model: z.string().nullable(), calls: z.number() }),
  ),
  /** By cause; already included in `usage` and `cost`. */
  superseded: z.array(supersededSumSchema),
  /** How much more the cached tokens would have cost as fresh ones. */
  savedByCache: costSchema,
})
export type CostReport = z.infer<typeof costReportSchema>

/** The time zone that determines the days of the month: the reader's. */
export const budgetQuerySchema = z.object({ tz: zoneField.optional() })
export type BudgetQuery = z.infer<typeof budgetQuerySchema>

const MOST_USD = 1e9

/** null removes the budget. */
export const budgetChangeSchema = z.strictObject({
  usdPerMonth: z.number().positive('is not more than 0; send null to take it back').max(MOST_USD).nullable(),
})
export type BudgetChange = z.infer<typeof budgetChangeSchema>

/** One budget, and the current month against it. */
export type Budget = z.infer<typeof budgetSchema>
const budgetSchema = z.strictObject({
  /** null: all projects together. */
  project: z.strictObject({ key: z.string(), name: z.string() }).nullable(),
  /** What the user set for each month. */
  usdPerMonth: z.number(),
  /** The month so far. Calls without a price are counted, but are not in any sum of money. */
  spent: costSchema,
  /** Projected total for the month; null if it is too early, or if no price is known. */
  projectedUsd: z.number().nullable(),
  /** passed: exceeded already; on-course: will be exceeded at the current rate; unknown: there are calls, but none has a price. */
  state: z.enum(['within', 'on-course', 'passed', 'unknown']),
})

/** All budgets, and the current month against them. */
export const budgetReportSchema = answer({
  /** The current month, in the reader's zone: its first day, the first day after it, and the part of it that is over, 0 to 1. */
  month: z.strictObject({ from: z.string(), to: z.string(), elapsed: z.number() }),
  /** All projects first, then by name. Leaves out budgets of projects that are not in these Gemini folders. */
  budgets: z.array(budgetSchema),
})
export type BudgetReport = z.infer<typeof budgetReportSchema>

/**
 * What the same tokens would have cost under other conditions, call by call, at the prices on each call's day. Token counts stay as
 * recorded, although another model would have used a different number.
 */
export const whatIfSchema = z.strictObject({
  /** As recorded. */
  cost: costSchema,
  /** Calls with recorded tokens, which are the ones priced here. */
  calls: z.number(),
  /** If every cached token had been sent as a fresh one. */
  withoutCache: z.strictObject({ cost: costSchema, cachedTokens: z.number() }),
  /** Every call at its model's lowest tier. `calls`: how many were above it; `aboveInputTokens`: its upper limit. */
  atLowestTier: z.strictObject({
    cost: costSchema,
    calls: z.number(),
    aboveInputTokens: z.number().nullable(),
  }),
  /** All calls on one model of the price list, the cheapest first. */
  onModels: z.array(z.strictObject({ model: z.string(), cost: costSchema, wasUsed: z.boolean() })),
})
export type WhatIf = z.infer<typeof whatIfSchema>

/** For a session with its sub-agents; `agentsLeftOut`: sub-agents beyond the limit for one answer. */
export const sessionWhatIfSchema = whatIfSchema.extend({
  ...versionField,
  agentsLeftOut: z.number(),
})
export type SessionWhatIf = z.infer<typeof sessionWhatIfSchema>

/**
 * What a group of requests has in common. `large-result`: one result, attached file or prompt is more than a fifth of their input;
 * `above-tier`: the higher rate for long inputs; `repeated-reads`: they read only what was still in the context; `rewound`;
 * `dropped`: by Gemini CLI, after a stop or an error; `cold-cache`: the first after a break or a compression; `small-prompts`: many short
 * prompts in one context; `turns` and `sub-agent`: no specific cause; `spread`: evenly over many turns;
 * `other`: the rest, at most a fifth where possible.
 */
const whyCauseSchema = z.enum([
  'large-result',
  'above-tier',
  'repeated-reads',
  'rewound',
  'dropped',
  'cold-cache',
  'small-prompts',
  'turns',
  'sub-agent',
  'spread',
  'other',
])

/** How an amount is shown; the shown amounts add up to the shown total. */
export const shownAmountFields = {
  usd: z.number(),
  /** Two decimals; `<$0.01` below half a cent. */
  shown: z.string(),
  /** Share of the total; the shares add up to 100. */
  percent: z.int(),
}

/** Wording of a reason. */
export const reasonWordFields = {
  /** What happened, in a sentence. */
  text: z.string(),
  /** What to do, given this record; null if nothing can be improved. */
  advice: z.string().nullable(),
}

/**
 * Why a session and its sub-agents cost what they did: at most four groups of requests, the largest first. Each request is in one group,
 * and the groups add up to the total.
 */
export const costWhySchema = answer({
  /** null: no request has a known price. */
  total: z.number().nullable(),
  shown: z.string().nullable(),
  /** The session's own share, without sub-agents. */
  own: z.number().nullable(),
  /** Requests with a known price. */
  requests: z.int(),
  unpricedRequests: z.int(),
  lines: z.array(
    z.strictObject({
      cause: whyCauseSchema,
      ...shownAmountFields,
      requests: z.int(),
      ...reasonWordFields,
      /** The evidence; '' if there is none to add. */
      detail: z.string(),
      /** Where to see it; null: not in a single place. `messageKey` null: the whole session. */
      place: z
        .strictObject({
          sessionKey: z.string(),
          turn: z.int().nullable(),
          messageKey: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
})
export type CostWhy = z.infer<typeof costWhySchema>

/** The cost of a session, on its own and together with the sub-agents it started. */
export const sessionCostSchema = costReportSchema.extend({
  /** null: no sub-agent was started. */
  family: z
    .strictObject({
      /** Sub-agents at every level, each as a separate session; null: not read yet. */
      subagents: z.array(
        z.strictObject({
          sessionKey: z.string(),
          title: z.string(),
          usage: tokenUsageSchema.nullable(),
          cost: costSchema.nullable(),
        }),
      ),
      /** The session and all its sub-agents. */
      together: z.strictObject({ usage: tokenUsageSchema.nullable(), cost: costSchema.nullable() }),
    })
    .nullable(),
})
export type SessionCost = z.infer<typeof sessionCostSchema>
