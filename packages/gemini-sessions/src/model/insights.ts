import { z } from 'zod'
import { costSchema } from './issue.ts'
import { supersededSchema } from './message.ts'
import { editsBetweenSchema, failureFateSchema, runPlaceSchema } from './session-summary.ts'

/** Lines that came and lines that went. */
export type LineChange = z.infer<typeof lineChangeSchema>
const lineChangeSchema = z.strictObject({ linesAdded: z.number(), linesRemoved: z.number() })

/**
 * What a piece of a prompt is. `baseline`: the CLI's own instructions and the declarations of its tools, which no file
 * records; `unrecorded`: what the recorded input has beyond everything that the log explains.
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

/** A part of the context that is told apart: a kind, and of tools and files whose. */
export type ContextBlock = z.infer<typeof contextBlockSchema>
const contextBlockSchema = z.strictObject({
  kind: contextKindSchema,
  /** Name of the tool; '' for all other kinds. */
  name: z.string(),
})

/** What filled the prompt of one model call. */
export type ContextCall = z.infer<typeof contextCallSchema>
const contextCallSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  superseded: supersededSchema.nullable(),
  /** Of a sub-agent that an old version mixed into the file of its parent: it has a context of its own. */
  isAgent: z.boolean(),
  /** As recorded. */
  input: z.number(),
  cached: z.number(),
  /** Position of the call before it in the same context; null for the first one, and the first after a compression. */
  before: z.number().nullable(),
  /** Of `input`, what the call before it had sent too: all but the growth. */
  resent: z.number(),
  /** What the input cost, and what the cache took off it, in USD; null where no price is known. */
  inputUsd: z.number().nullable(),
  savedUsd: z.number().nullable(),
  /** Estimated tokens by position in `blocks`; they add up to `input` exactly. */
  tokens: z.array(z.number()),
  /** 1, or below it where the estimate was more than was sent: by so much every recorded piece is scaled down. */
  scale: z.number(),
  /** Block (position in `blocks`) that grew most since the call before, and by how much; null where none grew. */
  grew: z.strictObject({ block: z.number(), tokens: z.number() }).nullable(),
})

/** One thing that was sent, and how often. The baseline of each model is one too, at its first call. */
export type ContextItem = z.infer<typeof contextItemSchema>
const contextItemSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  /** Position among the calls of the message; null for what is no call's. */
  call: z.number().nullable(),
  kind: contextKindSchema,
  /** Tool name, path, or ''. */
  name: z.string(),
  /** The beginning of a prompt, a call's own line; ''. */
  label: z.string(),
  /** Estimated, for one sending. */
  tokens: z.number(),
  /** Calls whose prompt held it. */
  sent: z.number(),
  /** Estimated, of all sendings: less than `tokens` times `sent` where the CLI masked it later. */
  sentTokens: z.number(),
  /** Estimated price of every sending but the first, in USD, with the share of the cache in each; null where none is known. */
  resentUsd: z.number().nullable(),
})

/** Which part of each prompt came from where: an estimate by the length of what is logged, held to the recorded totals. */
export type ContextXray = z.infer<typeof contextXraySchema>
export const contextXraySchema = z.strictObject({
  blocks: z.array(contextBlockSchema),
  calls: z.array(contextCallSchema),
  /** Of all calls; recorded. */
  totals: z.strictObject({
    input: z.number(),
    cached: z.number(),
    resent: z.number(),
    /** Of the input alone. */
    cost: costSchema,
    saved: costSchema,
  }),
  /** What was sent most, tokens times sendings; at most 50. */
  items: z.array(contextItemSchema),
  /** Offsets before which the context was compressed. */
  compressions: z.array(z.number()),
})

/**
 * Whom a stretch of time waited for, told by the record that ended it: a prompt (you), a thought or an answer (model), a
 * recorded call (tool, with your approval of it), or no record that tells.
 */
export type WaitKind = z.infer<typeof waitKindSchema>
const waitKindSchema = z.enum(['you', 'model', 'tool', 'other'])

/** Milliseconds by whom was waited for. */
export type WaitTotals = z.infer<typeof waitTotalsSchema>
const waitTotalsSchema = z.record(waitKindSchema, z.number())

/** A stretch between two recorded instants. All stretches together are the whole time; none overlap. */
export type WaitStretch = z.infer<typeof waitStretchSchema>
const waitStretchSchema = z.strictObject({
  kind: waitKindSchema,
  startMs: z.number(),
  endMs: z.number(),
})

/**
 * One thing that happened. `atMs` is when it was recorded, which is the only measured instant; `sinceMs` is the latest
 * moment before it at which it cannot have begun yet, so their distance is an upper bound of how long it took.
 */
export type TimelineStep = z.infer<typeof timelineStepSchema>
const timelineStepSchema = z.strictObject({
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

/** One thought of a model call, by what it is about. */
export type ReasoningStep = z.infer<typeof reasoningStepSchema>
const reasoningStepSchema = z.strictObject({
  /** At most 120 characters on one line; the beginning of the thought where it has no subject. */
  subject: z.string(),
  timestamp: z.string().nullable(),
  /** Since the thought before it; of a call's first, since the message or tool result before the call. null where a time is missing. */
  afterMs: z.number().nullable(),
})

/** The thoughts of one model call. */
export type ReasoningCall = z.infer<typeof reasoningCallSchema>
const reasoningCallSchema = z.strictObject({
  messageKey: z.string(),
  /** Position in the session's message list (0-based). */
  offset: z.number(),
  /** Number of the turn, as in the outline. */
  turn: z.number(),
  superseded: supersededSchema.nullable(),
  /** null where the call has no tokens recorded. */
  tokens: z.strictObject({ thoughts: z.number(), output: z.number() }).nullable(),
  steps: z.array(reasoningStepSchema),
})

/** What a model thought in a session, in reading order; copies under new ids are left out. */
export type Reasoning = z.infer<typeof reasoningSchema>
export const reasoningSchema = z.strictObject({
  calls: z.array(reasoningCallSchema),
  /** Over every model call of the session, also those that recorded no thought. */
  tokens: z.strictObject({ thoughts: z.number(), output: z.number() }),
})

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

/** Why it cannot be told whether an edit still stands. */
export const editDoubtSchema = z.enum([
  'rewound', // it, or a later change of the file, was rewound, and no later content of the file is recorded
  'unrecorded', // what it, or a later change, wrote is not recorded
  'misfit', // a later edit does not fit the content that was known: something else changed the file
  'overlap', // a later edit took part of what it wrote, and the whole content is not recorded
  'subagent', // a sub-agent changed the file later
  'too-large', // the contents are too large to be compared
])
/** Why the log does not tell whether an edit still stands. */
export type EditDoubt = z.infer<typeof editDoubtSchema>

/** One change of one file, and what the last state of the file that the log shows has of it. */
export type SessionEdit = z.infer<typeof sessionEditSchema>
export const sessionEditSchema = z.strictObject({
  messageKey: z.string(),
  /** Position of that message in the session (0-based). */
  offset: z.number(),
  callId: z.string(),
  tool: z.string(),
  /** Absolute where the project's root is known or the call said so. */
  path: z.string(),
  /** Relative to the project's root where the file lies in it. */
  name: z.string(),
  timestamp: z.string().nullable(),
  superseded: supersededSchema.nullable(),
  /** null: not recorded. */
  lines: lineChangeSchema.nullable(),
  /** partly: some of its lines are there, others are not. not-made: it failed, was declined, or has no result. */
  state: z.enum(['stands', 'partly', 'gone', 'unknown', 'not-made']),
  /** With `unknown` alone. */
  doubt: editDoubtSchema.nullable(),
})

/** An edit, with what it changed. */
const editStepSchema = sessionEditSchema.extend({
  kind: z.literal('edit'),
  /** Hunks of a unified diff; of versions that recorded none, the lines that went and came. null: not recorded. */
  diff: z
    .strictObject({
      text: z.string(),
      /** It is longer: the message has all of it. */
      isCut: z.boolean(),
    })
    .nullable(),
})

/** A shell command, and what became of it. */
const commandStepSchema = z.strictObject({
  kind: z.literal('command'),
  messageKey: z.string(),
  /** Position of that message in the session (0-based). */
  offset: z.number(),
  callId: z.string(),
  timestamp: z.string().nullable(),
  superseded: supersededSchema.nullable(),
  /** On one line, at most 500 characters. */
  command: z.string(),
  /** The folder that the call named; null: the project's. */
  folder: z.string().nullable(),
  /** left: it went on in the background, ran out of time or was ended by a signal; cancelled: also declined. */
  state: z.enum(['worked', 'failed', 'left', 'cancelled', 'unanswered']),
  exitCode: z.number().nullable(),
  /** Of a failed command: the line of its output that says most, at most 300 characters. */
  said: z.string().nullable(),
  /** Of a failed command; null where it was rewound. */
  fate: failureFateSchema.nullable(),
  /** Of a failed command: the last run of it that succeeded, and the edits since. null: none did. */
  sinceWorked: editsBetweenSchema.extend({ worked: runPlaceSchema }).nullable(),
  /** Of a failed command: no run failed between that one and this. */
  isFirstFailure: z.boolean(),
  /** Of a failed command: it was not run again. */
  isLastRun: z.boolean(),
})

/** One step of a turn. */
export type ChangeStep = z.infer<typeof changeStepSchema>
const changeStepSchema = z.discriminatedUnion('kind', [editStepSchema, commandStepSchema])

/** Edits and commands of a session in the order of the record, by prompt. */
export type SessionChanges = z.infer<typeof sessionChangesSchema>
export const sessionChangesSchema = z.strictObject({
  /** Only those with an edit or a command. */
  turns: z.array(
    z.strictObject({
      /** As in the outline; 0: before the first prompt. */
      number: z.number(),
      messageKey: z.string().nullable(),
      timestamp: z.string().nullable(),
      /** The first 300 characters of what was asked. */
      prompt: z.string(),
      steps: z.array(changeStepSchema),
    }),
  ),
  /** Files that were edited, in the order of their first edit; edits that were not made or were rewound do not count. */
  files: z.array(
    z.strictObject({
      path: z.string(),
      name: z.string(),
      edits: z.number(),
      /** Added up; null: not recorded. */
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
