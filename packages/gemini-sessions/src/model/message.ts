import { z } from 'zod'
import { costSchema } from './cost.ts'
import { cutSchema } from './cut.ts'
import { partSchema } from './part.ts'
import { tokenUsageSchema } from './token-usage.ts'
import { toolCallSchema } from './tool-call.ts'

/** A thought as the CLI shows it: what it is about, what it says, and when (ISO 8601 UTC; null where none is recorded). */
export type Thought = z.infer<typeof thoughtSchema>
export const thoughtSchema = z.strictObject({
  subject: z.string(),
  description: z.string(),
  timestamp: z.string().nullable(),
  cut: cutSchema.optional(),
})

/** Why a recorded message is not in the CLI's final state. */
export type Superseded = z.infer<typeof supersededSchema>
export const supersededSchema = z.enum(['rewound', 'compacted', 'aborted', 'replaced'])

/** What kind of record the file says it is; `unknown` for what no known version writes. */
export type MessageType = z.infer<typeof messageTypeSchema>
export const messageTypeSchema = z.enum(['user', 'gemini', 'info', 'error', 'warning', 'unknown'])

/** Who really made a message; `type: "user"` does not mean that a person typed it. */
export type Origin = z.infer<typeof originSchema>
export const originSchema = z.enum(['human', 'model', 'tool-result', 'injected', 'cli'])

/** One stored record. Every message ever recorded is kept, once, also what the CLI has dropped since (`superseded`). */
export type Message = z.infer<typeof messageSchema>
export const messageSchema = z.strictObject({
  /** Unique in its session and stable: `id`, or `id~2`, `id~3` by order of record. */
  key: z.string(),
  /** What the file says; '' if none. */
  id: z.string(),
  type: messageTypeSchema,
  origin: originSchema,
  /** ISO 8601 UTC, or null where the record has none that can be read. */
  timestamp: z.string().nullable(),
  model: z.string().nullable(),
  /** What was said. For a prompt: what the person typed, without injected context and expanded files. */
  content: z.array(partSchema),
  /** Expanded `@file` content and injected context of a prompt. `path` is '' for text of no file. */
  attachments: z.array(
    z.strictObject({
      path: z.string(),
      text: z.string(),
      cut: cutSchema.optional(),
    }),
  ),
  thoughts: z.array(thoughtSchema),
  toolCalls: z.array(toolCallSchema),
  /** null where neither tokens > 0 nor figures that are not known were ever recorded, on copies, and where another session counts them. */
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  superseded: supersededSchema.nullable(),
  /** Key of the message that this one repeats under a new id, or of the record that counts where a document holds its id several times (rule 4). */
  copyOf: z.string().nullable(),
  /** Key of the session in which this request was billed, where that is another one: its tokens and its cost count there. */
  billedIn: z.string().optional(),
  /** Set on messages of a sub-agent that an old version mixed into the parent's file. */
  agentKey: z.string().nullable(),
  /** Index into the session's segments. */
  segment: z.number(),
  /** Where the record that decides this message stands: file path relative to its home, and line (1-based, JSONL) or index (0-based, JSON). */
  source: z.strictObject({
    file: z.string(),
    line: z.number().optional(),
    index: z.number().optional(),
  }),
})
