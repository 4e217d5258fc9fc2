import { z } from 'zod'
import { cutSchema } from './cut.ts'
import { callFateSchema } from './failure-fate.ts'
import { partSchema } from './part.ts'
import { toolOutputSchema } from './tool-output.ts'

/** One call of a tool with its result, joined from wherever the log holds the pieces. */
export type ToolCall = z.infer<typeof toolCallSchema>
export const toolCallSchema = z.strictObject({
  /** As stored; '' if the file has none. Opaque, five shapes seen. */
  id: z.string(),
  name: z.string(),
  displayName: z.string().nullable(),
  /** The call's own line (`src/price.js`); null for the tool's manual text that versions up to 0.34 stored here. */
  description: z.string().nullable(),
  args: z.unknown(),
  /** Set where a text inside `args` was shortened for the wire. */
  cut: cutSchema.optional(),
  /** success, error, cancelled; any other string is kept; 'unanswered' where no result was recorded. */
  status: z.string(),
  /** When the call was recorded (not when it started). */
  timestamp: z.string().nullable(),
  /** Of a shell command, from the result text. */
  exitCode: z.number().nullable(),
  /** true for status `error` and for a shell command with a non-zero exit code, whatever its status says. */
  failed: z.boolean(),
  /** What became of a failed call. Left out of every other call, of one that was rewound, and until the whole session is read. */
  fate: callFateSchema.optional(),
  output: toolOutputSchema,
  display: toolOutputSchema.nullable(),
  /** Text and pictures that came back beside the functionResponse. */
  extraParts: z.array(partSchema),
  /** sessionId of the sub-agent session that this call started, where the CLI recorded it. */
  agentId: z.string().nullable(),
  /** Key of that sub-agent's session, once it is found on disk. */
  agentKey: z.string().nullable(),
})
