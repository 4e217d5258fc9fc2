import { costSchema, supersededSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer, versionField, zoneField } from './fields.ts'

/**
 * Why a call has no price, or no whole one (`unknown-figures`: some of its tokens have a name or a form that is not known, and
 * only the others are priced; `mixed-output`: its output is priced as text, and pictures, sound or video cost more): no tokens are recorded; only their total is; a figure is no count; its time or model is not
 * recorded as one; the name stands for a choice between models; nobody knows the model; the list knows it without a
 * price for such tokens; the user is on a plan and wants no prices.
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

/** USD per million tokens for calls of more input tokens than `aboveInputTokens`; null where no price is known. */
export interface RateTier {
  aboveInputTokens: number
  input: number | null
  cached: number | null
  output: number | null
}

/** One product of the sum. `input` is fresh input: without the cached part. */
const costTermSchema = z.strictObject({
  kind: z.enum(['input', 'cached', 'output', 'thoughts', 'tool']),
  tokens: z.number(),
  usdPerMillion: z.number().nullable(),
  usd: z.number().nullable(),
})
export type CostTerm = z.infer<typeof costTermSchema>

/** How the cost of one model call came about: `usd` is the sum of the terms, or null for the reason given; with both it is not the whole cost. */
export interface CostExplanation {
  usd: number | null
  /** null: the cost is whole. */
  reason: UnknownCostReason | null
  model: {
    recorded: string | null
    /** What the user says that the recorded name stands for. */
    alias: string | null
    /** The name under which the price stands. */
    priced: string | null
    /** The list has this very name, or it is a dated or numbered edition of a listed model. */
    match: 'name' | 'edition' | null
  }
  price: {
    source: 'list' | 'user'
    /** Which list or file, and of which date. */
    edition: string
    /** The day for which it was looked up: the call's, in UTC. */
    day: string
    /** The day from which this price holds; null: from the beginning. */
    since: string | null
    tiers: RateTier[]
  } | null
  /** The tier that the call's whole input chose, for all its tokens. `upToInputTokens` null: no limit. */
  tier: { aboveInputTokens: number; upToInputTokens: number | null; inputTokens: number } | null
  /** The products that are added up. */
  terms: CostTerm[]
  /** Recorded total minus the parts that are billed: not 0 where the record does not add up. */
  unexplainedTokens: number
}

/** Calls of one cause that the CLI took back; they were billed all the same. */
export const supersededSumSchema = z.strictObject({
  cause: supersededSchema,
  usage: tokenUsageSchema,
  cost: costSchema,
})

/** How the cost of many calls came about. Every sum is exact: to the token, and to 10⁻¹¹ USD. */
export const costReportSchema = answer({
  /** Of all calls that were asked about, superseded ones counted. */
  usage: tokenUsageSchema,
  cost: costSchema,
  /** What is to be known beside each of these costs; left out: nothing. */
  caveat: z.string().optional(),
  /** Calls that share model, price and tier, with their tokens by rate; the costliest first. */
  rates: z.array(
    z.strictObject({
      model: z.string().nullable(),
      /** The name under which the price stands. */
      priced: z.string().nullable(),
      source: z.enum(['list', 'user']),
      edition: z.string(),
      since: z.string().nullable(),
      /** Holds for calls that send more than the first, and at most the second number of tokens; null: no limit. */
      aboveInputTokens: z.number(),
      upToInputTokens: z.number().nullable(),
      calls: z.number(),
      terms: z.array(costTermSchema),
      usd: z.number(),
    }),
  ),
  /** Calls that are in no sum of money, or only in part, by why. */
  unknown: z.array(
    z.strictObject({ reason: unknownCostReasonSchema, model: z.string().nullable(), calls: z.number() }),
  ),
  /** By cause; in `usage` and `cost` already. */
  superseded: z.array(supersededSumSchema),
  /** What the cached tokens would have cost more as fresh ones. */
  savedByCache: costSchema,
})
export type CostReport = z.infer<typeof costReportSchema>

/** Whose days the month is made of: the reader’s zone. */
export const budgetQuerySchema = z.object({ tz: zoneField.optional() })
export type BudgetQuery = z.infer<typeof budgetQuerySchema>

const MOST_USD = 1e9

/** null takes the budget back. */
export const budgetChangeSchema = z.strictObject({
  usdPerMonth: z.number().positive('is not more than 0; send null to take it back').max(MOST_USD).nullable(),
})
export type BudgetChange = z.infer<typeof budgetChangeSchema>

/** One budget, and how the month that runs stands to it. */
export type Budget = z.infer<typeof budgetSchema>
const budgetSchema = z.strictObject({
  /** null: all projects together. */
  project: z.strictObject({ key: z.string(), name: z.string() }).nullable(),
  /** What the user set for each month. */
  usdPerMonth: z.number(),
  /** Of the month so far. Calls without a price are counted in it, and are in no sum of money. */
  spent: costSchema,
  /** What the month comes to if it goes on as it began; null: it is too young to tell, or no price is known. */
  projectedUsd: z.number().nullable(),
  /** passed: spent already; on-course: it will be, if the month goes on as it began; unknown: calls, but no price of any. */
  state: z.enum(['within', 'on-course', 'passed', 'unknown']),
})

/** All budgets, and how the month that runs stands to them. */
export const budgetReportSchema = answer({
  /** The month that runs, in the reader's zone: its first day, the first day after it, and how much of it is over, 0 to 1. */
  month: z.strictObject({ from: z.string(), to: z.string(), elapsed: z.number() }),
  /** All projects first, then by name. Budgets of projects that are not in these homes are not here. */
  budgets: z.array(budgetSchema),
})
export type BudgetReport = z.infer<typeof budgetReportSchema>

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

/** Of a session with its sub-agents; `agentsLeftOut`: more than are read for one answer. */
export const sessionWhatIfSchema = whatIfSchema.extend({
  ...versionField,
  agentsLeftOut: z.number(),
})
export type SessionWhatIf = z.infer<typeof sessionWhatIfSchema>

/**
 * What makes a group of requests. `large-result`: one result, attached file or prompt is more than a fifth of their input;
 * `above-tier`: the higher rate of long inputs; `repeated-reads`: they read only what the context still held; `rewound`;
 * `dropped`: by Gemini CLI, after a stop or an error; `cold-cache`: the first after a break or a compression; `small-prompts`:
 * many short prompts in one context; `turns` and `sub-agent`: without a cause of their own; `spread`: evenly over many turns;
 * `other`: what is left, at most a fifth where that can be.
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

/** How an amount is shown: shown amounts add up to the shown total. */
export const shownAmountFields = {
  usd: z.number(),
  /** Two decimals; `<$0.01` below half a cent. */
  shown: z.string(),
  /** Of the total; they add up to 100. */
  percent: z.int(),
}

/** Words of a reason. */
export const reasonWordFields = {
  /** What happened, in a sentence. */
  text: z.string(),
  /** What to do, true of this record; null: nothing to change. */
  advice: z.string().nullable(),
}

/**
 * Why a session cost what it did, with the sub-agents below it: at most four groups of requests, the largest first. No request is in
 * two of them, and they add up to the total.
 */
export const costWhySchema = answer({
  /** null: no price is known of any request. */
  total: z.number().nullable(),
  shown: z.string().nullable(),
  /** The session's own share, without sub-agents. */
  own: z.number().nullable(),
  /** Of known price. */
  requests: z.int(),
  unpricedRequests: z.int(),
  lines: z.array(
    z.strictObject({
      cause: whyCauseSchema,
      ...shownAmountFields,
      requests: z.int(),
      ...reasonWordFields,
      /** What makes it sure; '' where there is no more to say. */
      detail: z.string(),
      /** What shows it; null: no one place does. `messageKey` null: the whole session. */
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

/** How the cost of a session came about, apart and together with the sub-agents that it started. */
export const sessionCostSchema = costReportSchema.extend({
  /** null: no sub-agent was started. */
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
