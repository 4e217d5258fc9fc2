import { z } from 'zod'
import { supersededSchema } from '../message.ts'
import { toolOutputSchema } from '../tool-output.ts'

/** What a call did to a path. `searched`: looked through or listed; `named`: a tool we do not know was given it. */
export type FileAction = z.infer<typeof fileActionSchema>
export const fileActionSchema = z.enum(['read', 'searched', 'wrote', 'edited', 'named'])

/** Lines that came and lines that went. */
export type LineChange = z.infer<typeof lineChangeSchema>
export const lineChangeSchema = z.strictObject({ linesAdded: z.number(), linesRemoved: z.number() })

/** One call and one path that it named. */
export type FileCall = z.infer<typeof fileCallSchema>
export const fileCallSchema = z.strictObject({
  /** Session in which the call stands: the one asked for, or one of its sub-agents. */
  sessionKey: z.string(),
  messageKey: z.string(),
  /** Position of that message in its session (0-based). */
  offset: z.number(),
  callId: z.string(),
  tool: z.string(),
  action: fileActionSchema,
  /** When the call was recorded; that of its message where the call has none. */
  timestamp: z.string().nullable(),
  /** declined: the person, or a rule, refused it. unanswered: no result was recorded. */
  outcome: z.enum(['done', 'failed', 'declined', 'unanswered']),
  superseded: supersededSchema.nullable(),
  /** Made by a sub-agent. */
  isAgent: z.boolean(),
  /** What an edit changed, as recorded or made from its arguments; null for other calls. Also of one that was not carried out. */
  diff: toolOutputSchema.nullable(),
})

/** A path that the tools of a session named, and what they did to it. Calls that were not carried out count in `failed` alone. */
export type TouchedFile = z.infer<typeof touchedFileSchema>
export const touchedFileSchema = z.strictObject({
  /** Absolute, `/` on every system, where the project's root is known or the call said so; else as the call said it. */
  path: z.string(),
  /** Relative to the project's root where it lies in it. */
  name: z.string(),
  reads: z.number(),
  searches: z.number(),
  writes: z.number(),
  edits: z.number(),
  /** Given to tools that we do not know. */
  mentions: z.number(),
  failed: z.number(),
  failedEdits: z.number(),
  /** Of all these calls: in messages that the CLI took back, and made by sub-agents. */
  superseded: z.number(),
  byAgents: z.number(),
  firstTime: z.string().nullable(),
  lastTime: z.string().nullable(),
  /** The first change made the file. */
  isNew: z.boolean(),
  /** Added up over all changes; what one took back counts twice. null: no change. */
  recorded: lineChangeSchema.nullable(),
  /** From the first known content to the last; null where these are not recorded. */
  net: lineChangeSchema.nullable(),
})

/** All that a session did to one file. */
export type FileChange = z.infer<typeof fileChangeSchema>
export const fileChangeSchema = z.strictObject({
  file: touchedFileSchema,
  calls: z.array(fileCallSchema),
  /** From the first known content to the last; null: not recorded, made in several sessions, or too large to be compared. */
  net: toolOutputSchema.nullable(),
  /** Each change began with what the one before had left. null: not all contents are recorded. */
  isContinuous: z.boolean().nullable(),
})
