import { z } from 'zod'
import { costSchema } from '../cost.ts'

/**
 * repeated-call: the same tool with the same arguments and the same result, with no change in between.
 * polled: the same three times or more within a turn, with results that differ: the model was waiting for something.
 * reread-file: lines of a file that were read before and had not changed since.
 * failed-edit: an edit that failed before one of the same file was tried again.
 * failing-tool: one tool that failed three times or more in a row.
 * error-run: notices of errors that follow on each other (quota, capacity, network).
 * cut-output: an output that the CLI cut or masked, and that was asked for again.
 */
export type WasteKind = z.infer<typeof wasteKindSchema>
export const wasteKindSchema = z.enum([
  'repeated-call',
  'polled',
  'reread-file',
  'failed-edit',
  'failing-tool',
  'error-run',
  'cut-output',
])

/** One place of a finding: a call, or a notice. */
export type WastePlace = z.infer<typeof wastePlaceSchema>
const wastePlaceSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  timestamp: z.string().nullable(),
  /** As stored; null for a notice. */
  callId: z.string().nullable(),
  /** Position among the calls of the message; null for a notice. */
  call: z.number().nullable(),
  /** Estimated tokens that this place put into the context: the call and its result. */
  tokens: z.number(),
  /** false where something had to be done once: the first of equal calls, the edit that came through. */
  isExtra: z.boolean(),
})

/** Model calls that asked for extra work and nothing else: each sent the whole context once more. All of it is recorded. */
export type WasteRounds = z.infer<typeof wasteRoundsSchema>
const wasteRoundsSchema = z.strictObject({
  calls: z.number(),
  /** Input, output, thoughts and tool tokens. */
  tokens: z.number(),
  cost: costSchema,
})

/** One thing that was done again, with every place of it; the first or the one that came through is no extra. */
export type WasteFinding = z.infer<typeof wasteFindingSchema>
const wasteFindingSchema = z.strictObject({
  kind: wasteKindSchema,
  /** Name of the tool; '' for notices. */
  tool: z.string(),
  /** Path, command, the call's own line, or the words of the notice. */
  subject: z.string(),
  places: z.array(wastePlaceSchema),
  /** Estimated, of the extra places together. */
  tokens: z.number(),
  /** What these tokens cost when they were sent the first time, at the price of fresh input. */
  cost: costSchema,
  rounds: wasteRoundsSchema,
})

/** Work that a session did twice, and what that took: estimated by length, as no file counts the tokens of a call. */
export type Waste = z.infer<typeof wasteSchema>
export const wasteSchema = z.strictObject({
  /** Most tokens first, recorded and estimated together. A call is an extra place of one finding only. */
  findings: z.array(wasteFindingSchema),
  tokens: z.number(),
  cost: costSchema,
  rounds: wasteRoundsSchema,
})
