import { z } from 'zod'
import { limitField, timeField, zoneField } from './query-fields.ts'

export const searchFieldSchema = z.enum([
  'title',
  'prompt',
  'answer',
  'thought',
  'tool-args',
  'tool-output',
  'notice',
  'attachment',
])
export type SearchField = z.infer<typeof searchFieldSchema>

export const searchQuerySchema = z.object({
  q: z.string().max(1024).default(''),
  mode: z.enum(['words', 'substring', 'regex']).default('words'),
  sort: z.enum(['recent', 'relevance']).default('recent'),
  project: z.string().max(4096).optional(),
  model: z.string().max(200).optional(),
  /** Fields to search in, comma-separated; all if absent. */
  in: z.string().max(200).optional(),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  limit: limitField(50),
  cursor: z.string().max(400).optional(),
})
export type SearchQuery = z.infer<typeof searchQuerySchema>

export const searchHitSchema = z.strictObject({
  sessionKey: z.string(),
  /** null for a hit in the title. */
  messageKey: z.string().nullable(),
  messageId: z.string().nullable(),
  field: searchFieldSchema,
  snippet: z.string(),
  /** UTF-16 offsets into `snippet`, end exclusive. */
  ranges: z.array(z.tuple([z.number(), z.number()])),
  timestamp: z.string().nullable(),
  /** Name of the tool, for hits in its args or output. */
  toolName: z.string().nullable(),
  superseded: z.boolean(),
})
export type SearchHit = z.infer<typeof searchHitSchema>

const facetSchema = z.array(z.strictObject({ value: z.string(), label: z.string(), count: z.number() }))

export const searchResultSchema = z.strictObject({
  /** Hits (one per message and field), messages and sessions, whatever the page. */
  total: z.number(),
  messageTotal: z.number(),
  sessionTotal: z.number(),
  hits: z.array(searchHitSchema),
  sessions: z.record(
    z.string(),
    z.strictObject({
      title: z.string(),
      project: z.strictObject({ key: z.string(), name: z.string(), path: z.string().nullable() }),
      startTime: z.string().nullable(),
      models: z.array(z.strictObject({ name: z.string(), calls: z.number() })).nullable(),
      /** Hits of this session over the whole result. */
      hits: z.number(),
    }),
  ),
  facets: z.strictObject({ project: facetSchema, field: facetSchema, model: facetSchema, day: facetSchema }),
  coverage: z.strictObject({ filesDone: z.number(), filesTotal: z.number() }),
  /** What the reader should know: capped outputs, words read literally, an index still growing. */
  notes: z.array(z.string()),
  nextCursor: z.string().nullable(),
})
export type SearchResult = z.infer<typeof searchResultSchema>
