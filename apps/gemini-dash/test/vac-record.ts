import { z } from 'zod'

// The unsigned record of draft-birkholz-verifiable-agent-conversations-00, as a schema of our own. Every map is open.

const time = z.iso.datetime({ offset: true })
const count = z.number().int().min(0)
const shared = {
  timestamp: time.optional(),
  id: z.string().optional(),
  children: z.array(z.lazy((): z.ZodType => entrySchema)).optional(),
}
const said = {
  ...shared,
  content: z.unknown(),
  'model-id': z.string().optional(),
  'parent-id': z.string().optional(),
  'token-usage': z
    .looseObject({
      input: count.optional(),
      output: count.optional(),
      cached: count.optional(),
      reasoning: count.optional(),
      total: count.optional(),
      cost: z.number().optional(),
    })
    .optional(),
}
const entrySchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('user'), ...said }),
  z.looseObject({ type: z.literal('assistant'), ...said }),
  z.looseObject({
    type: z.literal('tool-call'),
    name: z.string(),
    input: z.unknown(),
    'call-id': z.string().optional(),
    ...shared,
  }),
  z.looseObject({
    type: z.literal('tool-result'),
    output: z.unknown(),
    'call-id': z.string().optional(),
    status: z.string().optional(),
    'is-error': z.boolean().optional(),
    ...shared,
  }),
  z.looseObject({
    type: z.literal('reasoning'),
    content: z.unknown(),
    subject: z.string().optional(),
    ...shared,
  }),
  z.looseObject({
    type: z.literal('system-event'),
    'event-type': z.string(),
    data: z.looseObject({}).optional(),
    ...shared,
  }),
])

/** The schema of an exported record. */
export const vacRecordSchema = z.looseObject({
  version: z.string(),
  id: z.string(),
  created: time.optional(),
  'recording-agent': z.looseObject({ name: z.string(), version: z.string().optional() }),
  session: z.looseObject({
    'session-id': z.string(),
    'session-start': time.optional(),
    'session-end': time.optional(),
    'agent-meta': z.looseObject({
      'model-id': z.string(),
      'model-provider': z.string(),
      models: z.array(z.string()),
    }),
    environment: z.looseObject({ 'working-dir': z.string() }).optional(),
    entries: z.array(entrySchema).min(1),
  }),
})
