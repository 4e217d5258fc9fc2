import { z } from 'zod'

/** The text unchanged or, beyond 200 characters, `sha256:` and the hex digest of its UTF-8 bytes. */
const textSchema = z
  .string()
  .meta({ description: 'The text; beyond 200 characters sha256:<hex of its UTF-8>' })
const timeSchema = z.iso.datetime()
const countsSchema = z.record(z.string(), z.number()).meta({ description: 'Figures that are 0 are left out' })
const outputSchema = z.looseObject({ kind: z.string(), text: textSchema.optional() })

const callSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  failed: z.literal(true).optional(),
  exitCode: z.number().optional(),
  description: textSchema.optional(),
  args: z.unknown().optional(),
  output: outputSchema
    .optional()
    .meta({ description: 'What the model got back; left out where nothing came' }),
  display: outputSchema.optional().meta({ description: 'What the CLI drew' }),
  extraParts: z.array(z.looseObject({ kind: z.string() })).optional(),
  agentId: z.string().optional(),
})

const messageSchema = z.strictObject({
  id: z.string(),
  key: z.string().optional().meta({ description: 'Where it differs from the id' }),
  type: z.string(),
  origin: z.string(),
  time: timeSchema.optional(),
  model: z.string().optional(),
  superseded: z.enum(['rewound', 'compacted', 'aborted', 'replaced']).optional(),
  copyOf: z.string().optional(),
  agent: z.string().optional().meta({ description: 'Part of a sub-agent’s run inside the parent’s file' }),
  text: textSchema.optional(),
  parts: z
    .array(z.looseObject({ kind: z.string() }))
    .optional()
    .meta({ description: 'All but texts' }),
  attachments: z.array(z.strictObject({ path: z.string(), text: textSchema })).optional(),
  thoughts: z.array(z.strictObject({ subject: textSchema, description: textSchema })).optional(),
  toolCalls: z.array(callSchema).optional(),
  usage: countsSchema.optional(),
})

const sessionSchema = z.strictObject({
  sessionId: z.string(),
  kind: z.enum(['main', 'subagent', 'checkpoint', 'prompts-only']),
  parent: z
    .string()
    .optional()
    .meta({ description: 'sessionId of the session that started it, if it is there' }),
  project: z.string(),
  title: z.string().optional(),
  titleSource: z.enum(['summary', 'topic', 'prompt', 'user', 'file']).optional(),
  startTime: timeSchema,
  endTime: timeSchema,
  lastUpdated: timeSchema,
  buried: z.literal(true).optional(),
  ended: z.enum(['stopped', 'error']).optional(),
  files: z.array(z.strictObject({ path: z.string(), role: z.string() })).optional(),
  segments: z
    .array(z.strictObject({ reason: z.string(), file: z.string(), messages: z.number() }))
    .optional()
    .meta({ description: 'Where there are several' }),
  models: countsSchema.optional().meta({ description: 'Calls by model' }),
  counts: countsSchema,
  usage: countsSchema.meta({ description: 'All that was spent, superseded calls included' }),
  liveUsage: countsSchema.optional().meta({ description: 'Where it differs from usage' }),
  withSubagents: countsSchema.optional().meta({ description: 'Where it differs from usage' }),
  issues: countsSchema.optional().meta({ description: 'By code' }),
  unknownNames: z.array(z.string()).optional().meta({ description: 'Names that no known version writes' }),
  messages: z.array(messageSchema).optional(),
})

/** What a reader has to find in the input of one conformance case. A missing field is empty. */
export const expectedSchema = z.strictObject({
  about: z.string(),
  projects: z.array(
    z.strictObject({
      name: z.string(),
      path: z.string().optional(),
      pathSource: z.string(),
      folders: z.array(z.string()),
    }),
  ),
  sessions: z.array(sessionSchema).meta({ description: 'By start time, then sessionId, then first file' }),
  skipped: z.array(z.strictObject({ path: z.string(), code: z.string() })).optional(),
})
export type Expected = z.infer<typeof expectedSchema>
