import { z } from 'zod'
import { supersededSchema } from './message.ts'
import { editsBetweenSchema, failureFateSchema, runPlaceSchema } from './session-summary.ts'
import { costSchema } from './usage.ts'

/** Numbers of added and removed lines. */
export type LineChange = z.infer<typeof lineChangeSchema>
const lineChangeSchema = z.strictObject({ linesAdded: z.number(), linesRemoved: z.number() })

/**
 * The type of a piece of a prompt. `baseline`: the CLI's own instructions and the declarations of its tools, which no file records;
 * `unrecorded`: recorded input beyond everything in the log.
 */
export type ContextKind = z.infer<typeof contextKindSchema>
const contextKindSchema = z.enum([
  'baseline',
  'session-context',
  'prompt',
  'file',
  'tool-result',
  'tool-call',
  'answer',
  'unrecorded',
])

/** A separately counted part of the context: a type, for tools and files with its name. */
export type ContextBlock = z.infer<typeof contextBlockSchema>
const contextBlockSchema = z.strictObject({
  kind: contextKindSchema,
  /** Name of the tool; '' for all other kinds. */
  name: z.string(),
})

/** What the prompt of one model call consisted of. */
export type ContextCall = z.infer<typeof contextCallSchema>
const contextCallSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  superseded: supersededSchema.nullable(),
  /** From a sub-agent that an old version recorded in its parent's file: it has a separate context. */
  isAgent: z.boolean(),
  /** As recorded. */
  input: z.number(),
  cached: z.number(),
  /** Index of the previous call in the same context; null for the first one, and the first after a compression. */
  before: z.number().nullable(),
  /** Part of `input` that the previous call had also sent: all but the growth. */
  resent: z.number(),
  /** Cost of the input, and savings by the cache, in USD; null if no price is known. */
  inputUsd: z.number().nullable(),
  savedUsd: z.number().nullable(),
  /** Estimated tokens by index in `blocks`; they add up to `input` exactly. */
  tokens: z.array(z.number()),
  /** 1, or less if the estimate was more than was sent: the factor that scales down every recorded piece. */
  scale: z.number(),
  /** Block (index in `blocks`) that grew most since the previous call, and by how much; null if none grew. */
  grew: z.strictObject({ block: z.number(), tokens: z.number() }).nullable(),
})

/** One piece that was sent, and how often. Includes the baseline of each model, at its first call. */
export type ContextItem = z.infer<typeof contextItemSchema>
const contextItemSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  /** Index among the calls of the message; null if not from a call. */
  call: z.number().nullable(),
  kind: contextKindSchema,
  /** Tool name, path, or ''. */
  name: z.string(),
  /** The beginning of a prompt, or a call's description; else ''. */
  label: z.string(),
  /** Estimated, per sending. */
  tokens: z.number(),
  /** Number of calls that sent it. */
  sent: z.number(),
  /** Estimated, for all sendings: less than `tokens` times `sent` if the CLI masked it later. */
  sentTokens: z.number(),
  /** Estimated price of every sending except the first, in USD, at the cache share of each call; null if none is known. */
  resentUsd: z.number().nullable(),
})

/** What each prompt consisted of: an estimate by length of the logged content, fitted to the recorded totals. */
export type ContextXray = z.infer<typeof contextXraySchema>
export const contextXraySchema = z.strictObject({
  blocks: z.array(contextBlockSchema),
  calls: z.array(contextCallSchema),
  /** Of all calls; recorded. */
  totals: z.strictObject({
    input: z.number(),
    cached: z.number(),
    resent: z.number(),
    /** Of the input only. */
    cost: costSchema,
    saved: costSchema,
  }),
  /** What was sent most, by tokens times sendings; at most 50. */
  items: z.array(contextItemSchema),
  /** Offsets of the messages before which the context was compressed. */
  compressions: z.array(z.number()),
})

/**
 * Who was waited for, determined by the record that ended the wait: a prompt (you), a thought or an answer (model), a recorded call (tool,
 * including your approval), or other.
 */
export type WaitKind = z.infer<typeof waitKindSchema>
const waitKindSchema = z.enum(['you', 'model', 'tool', 'other'])

/** Milliseconds by who was waited for. */
export type WaitTotals = z.infer<typeof waitTotalsSchema>
const waitTotalsSchema = z.record(waitKindSchema, z.number())

/** A stretch between two recorded instants. All stretches together cover the whole time without overlaps. */
export type WaitStretch = z.infer<typeof waitStretchSchema>
const waitStretchSchema = z.strictObject({
  kind: waitKindSchema,
  startMs: z.number(),
  endMs: z.number(),
})

/**
 * One event. `atMs` is when it was recorded, the only measured instant; `sinceMs` is the earliest time it can have begun, so the difference
 * is an upper bound of its duration.
 */
export type TimelineStep = z.infer<typeof timelineStepSchema>
const timelineStepSchema = z.strictObject({
  /** `run`: several adjacent steps as one, if there are too many. */
  kind: z.enum(['prompt', 'model', 'tool', 'agent', 'notice', 'run']),
  sinceMs: z.number(),
  atMs: z.number(),
  /** Session of the message: a different one for steps of a sub-agent. */
  sessionKey: z.string(),
  messageKey: z.string(),
  offset: z.number(),
  /** Number of the turn; for a sub-agent's step the one in which it was started. */
  turn: z.number(),
  /** 0: the conversation; 1 and more: nesting level of the sub-agent. */
  depth: z.number(),
  /** Text of a prompt or notice, the tool's name, or the model's. */
  label: z.string(),
  /** What a tool call does; '' if there is no short description. */
  detail: z.string(),
  failed: z.boolean(),
  superseded: supersededSchema.nullable(),
  thoughts: z.array(z.strictObject({ atMs: z.number(), subject: z.string() })),
  /** First and last record of the sub-agent it started: measured, unlike the call itself. */
  measured: z.strictObject({ startMs: z.number(), endMs: z.number() }).nullable(),
  /** Key of that sub-agent's session. */
  agentKey: z.string().nullable(),
  /** Number of steps represented: 1, or more for a `run`. */
  count: z.number(),
})

/** A turn as a band in the timeline. */
export type TimelineTurn = z.infer<typeof timelineTurnSchema>
const timelineTurnSchema = z.strictObject({
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
  /** First and last recorded instant; null if no message has a time. */
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  wallMs: z.number(),
  /** Exact, even if `stretches` were merged. */
  totals: waitTotalsSchema,
  /** At most 2,000; beyond that, adjacent ones are merged, with the kind that takes most of the time. */
  stretches: z.array(waitStretchSchema),
  turns: z.array(timelineTurnSchema),
  /** In chronological order, those of a sub-agent below the call that started it; within the requested range, at most about 2,000. */
  steps: z.array(timelineStepSchema),
  /** Number of steps in the requested range before merging. */
  stepTotal: z.number(),
  /** Messages without a valid time, which are not on the axis. */
  untimed: z.number(),
})

/** One thought of a model call, by subject. */
export type ReasoningStep = z.infer<typeof reasoningStepSchema>
const reasoningStepSchema = z.strictObject({
  /** At most 120 characters on one line; the beginning of the thought if it has no subject. */
  subject: z.string(),
  timestamp: z.string().nullable(),
  /** Since the previous thought; for a call's first, since the message or tool result before the call. null if a time is missing. */
  afterMs: z.number().nullable(),
})

/** The thoughts of one model call. */
export type ReasoningCall = z.infer<typeof reasoningCallSchema>
const reasoningCallSchema = z.strictObject({
  messageKey: z.string(),
  /** Index in the session's message list (0-based). */
  offset: z.number(),
  /** Number of the turn, as in the outline. */
  turn: z.number(),
  superseded: supersededSchema.nullable(),
  /** null if no tokens are recorded. */
  tokens: z.strictObject({ thoughts: z.number(), output: z.number() }).nullable(),
  steps: z.array(reasoningStepSchema),
})

/** The model's thoughts in a session, in reading order, without copies. */
export type Reasoning = z.infer<typeof reasoningSchema>
export const reasoningSchema = z.strictObject({
  calls: z.array(reasoningCallSchema),
  /** Over every model call of the session, including those without recorded thoughts. */
  tokens: z.strictObject({ thoughts: z.number(), output: z.number() }),
})

/**
 * repeated-call: the same tool with the same arguments and result, with no change in between. polled: the same three times or more within a
 * turn, with different results: the model was waiting for something. reread-file: lines of a file that were read before and unchanged
 * since. failed-edit: a failed edit, before an edit of the same file was tried again. failing-tool: one tool that failed three times or
 * more in a row. error-run: consecutive error notices (quota, capacity, network). cut-output: an output that the CLI cut or masked, and
 * that was requested again.
 */
export type WasteKind = z.infer<typeof wasteKindSchema>
const wasteKindSchema = z.enum([
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
  /** Index among the calls of the message; null for a notice. */
  call: z.number().nullable(),
  /** Estimated tokens that this place added to the context: the call and its result. */
  tokens: z.number(),
  /** false if it was needed once: the first of equal calls, the edit that succeeded. */
  isExtra: z.boolean(),
})

/** Model calls that only requested extra work: each sent the whole context once more. All figures are recorded. */
export type WasteRounds = z.infer<typeof wasteRoundsSchema>
const wasteRoundsSchema = z.strictObject({
  calls: z.number(),
  /** Input, output, thoughts and tool tokens. */
  tokens: z.number(),
  cost: costSchema,
})

/** One thing that was done repeatedly, with every place; the first or the successful one is not extra. */
export type WasteFinding = z.infer<typeof wasteFindingSchema>
const wasteFindingSchema = z.strictObject({
  kind: wasteKindSchema,
  /** Name of the tool; '' for notices. */
  tool: z.string(),
  /** Path, command, the call's description, or the text of the notice. */
  subject: z.string(),
  places: z.array(wastePlaceSchema),
  /** Estimated, for all extra places together. */
  tokens: z.number(),
  /** Cost of these tokens when first sent, at the price of fresh input. */
  cost: costSchema,
  rounds: wasteRoundsSchema,
})

/** Work that a session did twice, and its cost: estimated by length, since no file counts the tokens of a call. */
export type Waste = z.infer<typeof wasteSchema>
export const wasteSchema = z.strictObject({
  /** Most tokens first, recorded and estimated together. A call is an extra place of only one finding. */
  findings: z.array(wasteFindingSchema),
  tokens: z.number(),
  cost: costSchema,
  rounds: wasteRoundsSchema,
})

/** Why it is unknown whether an edit is still in the file. */
export const editDoubtSchema = z.enum([
  'rewound', // it, or a later change of the file, was rewound, and no later content of the file is recorded
  'unrecorded', // what it, or a later change, wrote is not recorded
  'misfit', // a later edit does not match the known content: something else changed the file
  'overlap', // a later edit replaced part of what it wrote, and the whole content is not recorded
  'subagent', // a sub-agent changed the file later
  'too-large', // the contents are too large to compare
])
/** Why it is unknown whether an edit is still in the file. */
export type EditDoubt = z.infer<typeof editDoubtSchema>

/** One change of one file, and how much of it is in the last state of the file shown by the log. */
export type SessionEdit = z.infer<typeof sessionEditSchema>
export const sessionEditSchema = z.strictObject({
  messageKey: z.string(),
  /** Index of that message in the session (0-based). */
  offset: z.number(),
  callId: z.string(),
  tool: z.string(),
  /** Absolute if the project's root is known or the call had it. */
  path: z.string(),
  /** Relative to the project's root if the file is inside. */
  name: z.string(),
  timestamp: z.string().nullable(),
  superseded: supersededSchema.nullable(),
  /** null: not recorded. */
  lines: lineChangeSchema.nullable(),
  /** partly: only some of its lines are there. not-made: it failed, was declined, or has no result. */
  state: z.enum(['stands', 'partly', 'gone', 'unknown', 'not-made']),
  /** Only with `unknown`. */
  doubt: editDoubtSchema.nullable(),
})

/** An edit, with what it changed. */
const editStepSchema = sessionEditSchema.extend({
  kind: z.literal('edit'),
  /** Hunks of a unified diff; for versions that recorded none, the removed and added lines. null: not recorded. */
  diff: z
    .strictObject({
      text: z.string(),
      /** It is longer: the message has all of it. */
      isCut: z.boolean(),
    })
    .nullable(),
})

/** A shell command and its outcome. */
const commandStepSchema = z.strictObject({
  kind: z.literal('command'),
  messageKey: z.string(),
  /** Index of that message in the session (0-based). */
  offset: z.number(),
  callId: z.string(),
  timestamp: z.string().nullable(),
  superseded: supersededSchema.nullable(),
  /** On one line, at most 500 characters. */
  command: z.string(),
  /** The folder given in the call; null: the project's. */
  folder: z.string().nullable(),
  /** left: it continued in the background, timed out or was ended by a signal; cancelled: or declined. */
  state: z.enum(['worked', 'failed', 'left', 'cancelled', 'unanswered']),
  exitCode: z.number().nullable(),
  /** Of a failed command: the most informative line of its output, at most 300 characters. */
  said: z.string().nullable(),
  /** Of a failed command; null if it was rewound. */
  fate: failureFateSchema.nullable(),
  /** Of a failed command: its last successful run, and the edits since. null: none. */
  sinceWorked: editsBetweenSchema.extend({ worked: runPlaceSchema }).nullable(),
  /** Of a failed command: no failed run between that one and this. */
  isFirstFailure: z.boolean(),
  /** Of a failed command: it was not run again. */
  isLastRun: z.boolean(),
})

/** One step of a turn. */
export type ChangeStep = z.infer<typeof changeStepSchema>
const changeStepSchema = z.discriminatedUnion('kind', [editStepSchema, commandStepSchema])

/** Edits and commands of a session in recorded order, by prompt. */
export type SessionChanges = z.infer<typeof sessionChangesSchema>
export const sessionChangesSchema = z.strictObject({
  /** Only those with an edit or a command. */
  turns: z.array(
    z.strictObject({
      /** As in the outline; 0: before the first prompt. */
      number: z.number(),
      messageKey: z.string().nullable(),
      timestamp: z.string().nullable(),
      /** The first 300 characters of the prompt. */
      prompt: z.string(),
      steps: z.array(changeStepSchema),
    }),
  ),
  /** Edited files, in the order of their first edit; edits that were not made or were rewound do not count. */
  files: z.array(
    z.strictObject({
      path: z.string(),
      name: z.string(),
      edits: z.number(),
      /** Sum; null: not recorded. */
      lines: lineChangeSchema.nullable(),
      /** Call and message of the last edit. */
      callId: z.string(),
      messageKey: z.string(),
    }),
  ),
  counts: z.strictObject({
    edits: z.number(),
    commands: z.number(),
    failedCommands: z.number(),
    linesAdded: z.number(),
    linesRemoved: z.number(),
  }),
})
