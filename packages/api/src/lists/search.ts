import { sessionSummarySchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer, coverageSchema, unreadSchema } from '../fields/answer.ts'
import { limitField, timeField, zoneField } from '../fields/query-fields.ts'

/** What of a session a hit can stand in. */
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

/** A search over all sessions: what is looked for, where, and which page of hits. */
export const searchQuerySchema = z.object({
  /** In the language of the search box: words, phrases, `-not`, filters such as `tool:shell`. */
  q: z.string().max(1024).default(''),
  mode: z.enum(['words', 'substring', 'regex']).default('words'),
  sort: z.enum(['recent', 'relevance']).default('recent'),
  // Beside the filters inside `q`, and joined with them by AND. Values that are parted by commas mean one of them.
  project: z.string().max(4096).optional(),
  model: z.string().max(1000).optional(),
  /** Fields to search in; all if absent. */
  in: z.string().max(200).optional(),
  tool: z.string().max(1000).optional(),
  status: z.string().max(200).optional(),
  is: z.string().max(200).optional(),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  limit: limitField(50),
  cursor: z.string().max(1000).optional(),
  /** Seconds after which a search for exact text or a pattern stops with what it has found. */
  timeout: z.coerce.number().positive().max(600).optional(),
})
export type SearchQuery = z.infer<typeof searchQuerySchema>

/** One field of one message, or the title of a session, that holds what was looked for. */
export const searchHitSchema = z.strictObject({
  sessionKey: z.string(),
  /** null for a hit in the title. */
  messageKey: z.string().nullable(),
  messageId: z.string().nullable(),
  field: searchFieldSchema,
  /** The piece of the field around the first words found. */
  snippet: z.string(),
  /** UTF-16 offsets into `snippet`, end exclusive. */
  ranges: z.array(z.tuple([z.number(), z.number()])),
  timestamp: z.string().nullable(),
  /** Name of the tool, for hits in its args or output. */
  toolName: z.string().nullable(),
  /** The CLI holds the message no more. */
  superseded: z.boolean(),
})
export type SearchHit = z.infer<typeof searchHitSchema>

/** A filter that stands in `q`. */
const writtenFilterSchema = z.strictObject({
  /** `text` for a word that was taken away: `-word`. */
  field: z.string(),
  value: z.string(),
  isNegated: z.boolean(),
  /** UTF-16 offsets into `q`, end exclusive. */
  start: z.number(),
  end: z.number(),
  /** `q` as it is without the filter. */
  without: z.string(),
})

/** What could be given up when nothing is found, and how much there would be then. */
export const relaxationSchema = z.strictObject({
  /** As a person would call it: `project: webshop`. */
  label: z.string(),
  q: z.string(),
  /** The parameter beside `q` that is to go; null: `q` itself has changed. */
  parameter: z.enum(['project', 'model', 'in', 'tool', 'status', 'is', 'time']).nullable(),
  total: z.number(),
})
export type Relaxation = z.infer<typeof relaxationSchema>

const facetSchema = z.array(z.strictObject({ value: z.string(), label: z.string(), count: z.number() }))

/** A page of hits, and what is true of all of them. */
export const searchResultSchema = answer({
  /** Hits (one per message and field), messages and sessions, whatever the page. */
  total: z.number(),
  messageTotal: z.number(),
  sessionTotal: z.number(),
  hits: z.array(searchHitSchema),
  sessions: z.record(
    z.string(),
    z.strictObject({
      title: z.string(),
      kind: sessionSummarySchema.shape.kind,
      project: z.strictObject({ key: z.string(), name: z.string(), path: z.string().nullable() }),
      startTime: z.string().nullable(),
      models: z.array(z.strictObject({ name: z.string(), calls: z.number() })).nullable(),
      /** Hits of this session over the whole result. */
      hits: z.number(),
    }),
  ),
  /** Filters in `q`, as they stand there. */
  filters: z.array(writtenFilterSchema),
  /** The session whose id, or key, `q` is. */
  named: z.strictObject({ key: z.string(), title: z.string() }).nullable(),
  /** Hits by what they could be narrowed to. Other filters count, the one on the same thing does not. */
  facets: z.strictObject({
    project: facetSchema,
    field: facetSchema,
    model: facetSchema,
    tool: facetSchema,
    status: facetSchema,
    is: facetSchema,
    day: facetSchema,
  }),
  coverage: coverageSchema,
  /** What the reader should know: capped outputs, words read literally, an index still growing. */
  notes: z.array(z.string()),
  /** Where nothing is found: a query of words that are there. */
  didYouMean: z.string().nullable(),
  /** Where nothing is found: filters that could go. */
  relax: z.array(relaxationSchema),
  /** Behind the last hits of a search that stopped it begins with `0~`, and leads to what was not searched. */
  nextCursor: z.string().nullable(),
  /** null: all files that may have hits were searched, whole. */
  partial: z
    .strictObject({
      /** After so many it stopped; `coverage` tells how many files were searched by then. null: it came to its end. */
      seconds: z.number().nullable(),
      /** Messages that were not searched whole, as the pattern takes too long on them. */
      messagesLeftOut: z.number(),
    })
    .nullable(),
  /** Of all that the answer could be made of. */
  unread: unreadSchema.optional(),
})
export type SearchResult = z.infer<typeof searchResultSchema>

/** A search that is being typed. */
export const suggestQuerySchema = z.object({
  q: z.string().max(1024).default(''),
  /** Where the caret stands in `q` (UTF-16); the end if absent. */
  at: z.coerce.number().int().min(0).optional(),
  tz: zoneField.optional(),
})
export type SuggestQuery = z.infer<typeof suggestQuerySchema>

/** What could stand in the place of `q` from `start` to `end`. */
export const suggestionListSchema = answer({
  start: z.number(),
  end: z.number(),
  items: z.array(z.strictObject({ text: z.string(), label: z.string(), hint: z.string() })),
})
export type SuggestionList = z.infer<typeof suggestionListSchema>
