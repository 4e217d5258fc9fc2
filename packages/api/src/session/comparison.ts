import { sessionSummarySchema, touchedFileSchema, turnSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** Which two sessions. */
export const comparisonQuerySchema = z.object({
  /** Keys or ids of two sessions. */
  a: z.string().min(1).max(400),
  b: z.string().min(1).max(400),
})
export type ComparisonQuery = z.infer<typeof comparisonQuerySchema>

/** One of two sessions. */
export type ComparedSession = z.infer<typeof comparedSessionSchema>
const comparedSessionSchema = z.strictObject({
  session: sessionSummarySchema,
  turns: z.number(),
  /** The last words of the model that still stand, at most 400 characters; null: none. */
  lastAnswer: z.strictObject({ messageKey: z.string(), text: z.string() }).nullable(),
})

const toolFiguresSchema = z.strictObject({
  calls: z.number(),
  errors: z.number(),
  /** The same of the session and every sub-agent below it. */
  withSubagents: z.strictObject({ calls: z.number(), errors: z.number() }),
})

/** Two sessions side by side. null on one side: that session has nothing of the kind. */
export type Comparison = z.infer<typeof comparisonSchema>
export const comparisonSchema = answer({
  a: comparedSessionSchema,
  b: comparedSessionSchema,
  /** In the order of both; turns that asked alike are paired. `likeness`: words that the prompts share, 0 to 1. */
  turns: z.array(
    z.strictObject({ a: turnSchema.nullable(), b: turnSchema.nullable(), likeness: z.number().nullable() }),
  ),
  /** The busiest first, sub-agents included; what only a sub-agent called is there with 0 calls of the session's own. */
  tools: z.array(
    z.strictObject({ name: z.string(), a: toolFiguresSchema.nullable(), b: toolFiguresSchema.nullable() }),
  ),
  /** By name: relative to the project's root where it is known. Files that were changed first. */
  files: z.array(
    z.strictObject({ name: z.string(), a: touchedFileSchema.nullable(), b: touchedFileSchema.nullable() }),
  ),
})
