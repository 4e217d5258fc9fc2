import { z } from 'zod'
import { supersededSchema } from '../message.ts'

/**
 * Whom a stretch of time waited for, told by the record that ended it: a prompt (you), a thought or an answer (model), a
 * recorded call (tool, with your approval of it), or no record that tells.
 */
export type WaitKind = z.infer<typeof waitKindSchema>
export const waitKindSchema = z.enum(['you', 'model', 'tool', 'other'])

/** Milliseconds by whom was waited for. */
export type WaitTotals = z.infer<typeof waitTotalsSchema>
export const waitTotalsSchema = z.record(waitKindSchema, z.number())

/** A stretch between two recorded instants. All stretches together are the whole time; none overlap. */
export type WaitStretch = z.infer<typeof waitStretchSchema>
export const waitStretchSchema = z.strictObject({
  kind: waitKindSchema,
  startMs: z.number(),
  endMs: z.number(),
})

/**
 * One thing that happened. `atMs` is when it was recorded, which is the only measured instant; `sinceMs` is the latest
 * moment before it at which it cannot have begun yet, so their distance is an upper bound of how long it took.
 */
export type TimelineStep = z.infer<typeof timelineStepSchema>
export const timelineStepSchema = z.strictObject({
  /** `run`: several neighbouring steps as one, where there are too many to be told apart. */
  kind: z.enum(['prompt', 'model', 'tool', 'agent', 'notice', 'run']),
  sinceMs: z.number(),
  atMs: z.number(),
  /** Session of the message: another one for what a sub-agent did. */
  sessionKey: z.string(),
  messageKey: z.string(),
  offset: z.number(),
  /** Number of the turn; of a sub-agent's step the one in which it was started. */
  turn: z.number(),
  /** 0: the conversation; 1 and more: of a sub-agent, of its sub-agent, … */
  depth: z.number(),
  /** What a prompt or notice says, the tool's name, or the model's. */
  label: z.string(),
  /** What a tool was asked to do; '' where nothing short tells. */
  detail: z.string(),
  failed: z.boolean(),
  superseded: supersededSchema.nullable(),
  thoughts: z.array(z.strictObject({ atMs: z.number(), subject: z.string() })),
  /** First and last record of the sub-agent that it started: measured, unlike the call itself. */
  measured: z.strictObject({ startMs: z.number(), endMs: z.number() }).nullable(),
  /** Key of that sub-agent's session. */
  agentKey: z.string().nullable(),
  /** Steps that this one stands for: 1, or more for a `run`. */
  count: z.number(),
})

/** A turn as a band of the timeline. */
export type TimelineTurn = z.infer<typeof timelineTurnSchema>
export const timelineTurnSchema = z.strictObject({
  number: z.number(),
  messageKey: z.string(),
  offset: z.number(),
  prompt: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  superseded: supersededSchema.nullable(),
})

/** A session on one time axis. All times are milliseconds since `startTime`. */
export type Timeline = z.infer<typeof timelineSchema>
export const timelineSchema = z.strictObject({
  /** First and last recorded instant; null where no message has a time. */
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  wallMs: z.number(),
  /** Exact, whatever `stretches` were put together. */
  totals: waitTotalsSchema,
  /** At most 2,000; where there are more, neighbours are one stretch of the kind that takes most of it. */
  stretches: z.array(waitStretchSchema),
  turns: z.array(timelineTurnSchema),
  /** In order of time, a sub-agent's below the call that started it; those within the wanted stretch, at most about 2,000. */
  steps: z.array(timelineStepSchema),
  /** Steps within the wanted stretch before any were put together. */
  stepTotal: z.number(),
  /** Messages without a time that can be read: they are not on the axis. */
  untimed: z.number(),
})
