import { z } from 'zod'
import { supersededSchema } from '../message.ts'
import { lineChangeSchema } from './touched-file.ts'

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

/** Which prompt led to which edits, in reading order, and which of them still stand. */
export type SessionEdits = z.infer<typeof sessionEditsSchema>
export const sessionEditsSchema = z.strictObject({
  prompts: z.array(
    z.strictObject({
      /** null: before the first prompt. */
      messageKey: z.string().nullable(),
      /** The first 300 characters of what was asked. */
      text: z.string(),
      edits: z.array(sessionEditSchema),
    }),
  ),
  counts: z.strictObject({
    stands: z.number(),
    partly: z.number(),
    gone: z.number(),
    unknown: z.number(),
    notMade: z.number(),
  }),
})
