import { costSchema, sessionSummarySchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'

const spentPartSchema = z.strictObject({
  /** The quarter of an hour of the calls; null: they count at the session's start. */
  quarterHour: z.string().nullable(),
  model: z.string().nullable(),
  usage: tokenUsageSchema,
  cost: costSchema,
})

const toolPartSchema = z.strictObject({
  name: z.string(),
  calls: z.number(),
  errors: z.number(),
  outputTokensEstimate: z.number(),
  maxTimeMs: z.number(),
  timedCalls: z.number(),
})

/** What a session says in sums, before a change. */
export const formerRowSchema = sessionSummarySchema.pick({
  kind: true,
  empty: true,
  project: true,
  indexed: true,
  startTime: true,
  endTime: true,
  models: true,
  failures: true,
  recorded: true,
  usage: true,
  cost: true,
  withSubagents: true,
})
export type FormerRow = z.infer<typeof formerRowSchema>

/** What a change did to the sums of calls. */
export const spentChangeSchema = z.strictObject({
  /** Where calls stood before: quarter hour and model of each. */
  slots: z.array(z.strictObject({ quarterHour: z.string().nullable(), model: z.string().nullable() })),
  /** Those that changed. null: there were none. */
  parts: z.array(z.strictObject({ before: spentPartSchema.nullable(), after: spentPartSchema })),
  tools: z.array(z.strictObject({ before: toolPartSchema.nullable(), after: toolPartSchema })),
})
export type SpentChange = z.infer<typeof spentChangeSchema>

/**
 * What changed, by name. Where nothing changed but one row, the row itself comes with it, as a list would have it, and what
 * stood in sums before: a page that has every change up to this one needs not ask again.
 */
export const liveEventSchema = z.strictObject({
  /**
   * changed, removed: a session; marked: a person said something of it, and nothing else changed; index: progress or completion
   * of the index; projects: a project came or went; warnings: of the program, in `health` and `doctor`; keep: a look of the
   * archive went on or ended, or it was turned on or off.
   */
  kind: z.enum(['changed', 'removed', 'marked', 'index', 'projects', 'warnings', 'keep']),
  sessionKey: z.string().optional(),
  projectKey: z.string().optional(),
  /** Of `changed` and `marked`, at most 32 KB; left out where other rows may have changed with it. */
  row: sessionSummarySchema.optional(),
  /** With `row`. */
  before: formerRowSchema.optional(),
  /** With `row`; left out where it would be long. */
  spent: spentChangeSchema.optional(),
})
export type LiveEvent = z.infer<typeof liveEventSchema>

/** Begins each stream, as an event named `hello`. */
export const streamHelloSchema = z.strictObject({
  kind: z.literal('hello'),
  /** The number of the last change; events go on from here. */
  at: z.number(),
  /** The script that the page of this server begins with: a page with another one is of another build. */
  page: z.string().nullable(),
})
export type StreamHello = z.infer<typeof streamHelloSchema>
