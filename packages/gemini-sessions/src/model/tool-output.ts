import { z } from 'zod'
import { cutSchema } from './cut.ts'
import { pixelSizeSchema } from './part.ts'

/** A run of terminal output in one style. */
export type AnsiToken = z.infer<typeof ansiTokenSchema>
const ansiTokenSchema = z.strictObject({
  text: z.string(),
  bold: z.boolean(),
  italic: z.boolean(),
  underline: z.boolean(),
  dim: z.boolean(),
  inverse: z.boolean(),
  /** `#rrggbb`, or '' for the default. */
  fg: z.string(),
  bg: z.string(),
})

const todoSchema = z.strictObject({
  description: z.string(),
  /** pending, in_progress, completed, cancelled, blocked; other strings are kept as they are. */
  status: z.string(),
})

const searchMatchSchema = z.strictObject({
  filePath: z.string(),
  lineNumber: z.number().nullable(),
  line: z.string(),
  isContext: z.boolean(),
})

const subagentActivitySchema = z.strictObject({
  id: z.string(),
  /** thought, tool_call; other strings are kept. */
  type: z.string(),
  content: z.string(),
  displayName: z.string().nullable(),
  description: z.string().nullable(),
  /** Parsed from the JSON string in which the CLI stores it; null if there is none. */
  args: z.unknown(),
  status: z.string(),
})

/**
 * A tool's result or display, normalised. `output` of a call is what the model got back (from `result`),
 * `display` is what the CLI drew (from `resultDisplay`).
 */
export type ToolOutput = z.infer<typeof toolOutputSchema>
export const toolOutputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string(), cut: cutSchema.optional() }),
  z.strictObject({ kind: z.literal('markdown'), text: z.string(), cut: cutSchema.optional() }),
  z.strictObject({
    kind: z.literal('diff'),
    fileName: z.string(),
    filePath: z.string().nullable(),
    /** Unified diff; '' if only the two versions are known. */
    fileDiff: z.string(),
    originalContent: z.string().nullable(),
    newContent: z.string().nullable(),
    linesAdded: z.number(),
    linesRemoved: z.number(),
    isNewFile: z.boolean(),
    /** true when the diff was rebuilt from the call's args because the version stored none (up to 0.24). */
    isRebuilt: z.boolean(),
    cut: cutSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('todos'),
    todos: z.array(todoSchema),
    /** The list before this one; set on the wire, where the session has one. */
    previous: z.array(todoSchema).optional(),
  }),
  z.strictObject({
    kind: z.literal('ansi'),
    lines: z.array(z.array(ansiTokenSchema)),
    cut: cutSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('search'),
    summary: z.string(),
    matches: z.array(searchMatchSchema),
    cut: cutSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('list'),
    summary: z.string(),
    files: z.array(z.string()),
    skipped: z.array(z.string()),
    cut: cutSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('subagent'),
    agentName: z.string(),
    state: z.string().nullable(),
    activity: z.array(subagentActivitySchema),
    result: z.string().nullable(),
    terminateReason: z.string().nullable(),
    cut: cutSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('image'),
    mimeType: z.string(),
    data: z.string().nullable(),
    sizeBytes: z.number().nullable(),
    href: z.string().nullable(),
    pixelSize: pixelSizeSchema.nullable().optional(),
  }),
  z.strictObject({ kind: z.literal('error'), text: z.string(), cut: cutSchema.optional() }),
  z.strictObject({ kind: z.literal('empty') }),
  z.strictObject({ kind: z.literal('unknown'), json: z.unknown(), cut: cutSchema.optional() }),
])
