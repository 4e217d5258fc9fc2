import { costSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { zoneField } from '../fields/query-fields.ts'

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
