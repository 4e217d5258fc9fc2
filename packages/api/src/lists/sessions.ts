import {
  compressionSchema,
  costSchema,
  segmentSchema,
  sessionActivitySchema,
  sessionFailuresSchema,
  sessionProgramSchema,
  sessionSummarySchema,
  supersededSchema,
  tokenUsageSchema,
  turnSchema,
} from 'gemini-sessions'
import { z } from 'zod'
import { supersededSumSchema } from '../cost.ts'
import {
  answer,
  coverageSchema,
  limitField,
  queryField,
  timeField,
  unreadSchema,
  zoneField,
} from '../fields.ts'
import { sideBranchSchema } from '../session.ts'
import { SEARCH_FIELDS } from './search-fields.ts'

/** Each begins with the most (`recent`: the newest; `oldest`: the first that was begun); with `-` before it, it is turned around. */
export const SESSION_ORDERS = [
  'recent',
  'oldest',
  'tokens',
  'cost',
  'messages',
  'turns',
  'tools',
  'failed',
  'duration',
] as const
/** The same without the sign. */
export type SessionOrder = (typeof SESSION_ORDERS)[number]

/** What a row of a list can be. */
export const SESSION_KINDS = sessionSummarySchema.shape.kind.options

/** What a list can be of: `empty` are the main sessions in which nothing was ever said. */
export const LISTED_KINDS = [...SESSION_KINDS, 'empty'] as const

/** Which sessions, in which order, and which page of them. */
export const sessionQuerySchema = z.object({
  /** A project's key, name, path or a fuzzy part of one. */
  project: z.string().max(4096).optional(),
  /** Exact model name. */
  model: z.string().max(200).optional(),
  /** Only sessions that called this tool, also in a sub-agent of theirs: its name, the one it has on screen, or a part of one. */
  tool: z.string().max(200).optional(),
  /** Only sessions to whose prompts a file or a picture was attached, or none of them. */
  attachments: z.enum(['true', 'false']).optional(),
  kind: z.enum([...LISTED_KINDS, 'all']).default('main'),
  /** Only sessions that this program recorded. */
  source: sessionProgramSchema.optional(),
  /** Only sub-agents that this session started: its key. */
  parent: z.string().max(200).optional(),
  /** Only sessions with a file in this home: its label or its path. */
  home: z.string().max(4096).optional(),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  sort: z.enum([...SESSION_ORDERS, ...SESSION_ORDERS.map((order) => `-${order}` as const)]).default('recent'),
  /** Only sessions whose title or first prompt contains this text (case and accents ignored). */
  title: z.string().max(200).optional(),
  /** How that text is looked for: as it stands, or its words in any order, with letters left out. */
  match: z.enum(['part', 'near']).optional(),
  /** Only sessions where something failed (a call, a request, a prompt without an answer), also in a sub-agent of theirs / that are live now. */
  has: z.enum(['errors', 'live']).optional(),
  /** Only sessions that the person starred, or none of them; a starred message counts for its session. */
  starred: z.enum(['true', 'false']).optional(),
  /** Only sessions that the person gave this tag (case and accents ignored). */
  tag: z.string().max(64).optional(),
  /** Sessions of which nothing is in a home any more, but in our archive: with the others (`include`, also where nothing is said), alone, or not. */
  deleted: z.enum(['include', 'only', 'exclude']).optional(),
  /** Sessions in which nothing was ever said: with the others (`include`, also where nothing is said), or not. */
  empty: z.enum(['include', 'exclude']).optional(),
  /** Only sessions with a model call in this hour of the week in `tz`: `1-00` is Monday's first, `7-23` Sunday's last. */
  hour: z
    .string()
    .regex(/^[1-7]-(?:[01]\d|2[0-3])$/, 'is no hour of the week, such as 1-09 for Monday from nine')
    .optional(),
  /** Of which days the answer has totals: all where nothing is said, those of its rows, none. */
  days: z.enum(['all', 'rows', 'none']).optional(),
  limit: limitField(100),
  cursor: z.string().max(400).optional(),
})
export type SessionQuery = z.infer<typeof sessionQuerySchema>

/** A page of rows, and what is true of all rows that the query means. */
export const sessionListSchema = answer({
  sessions: z.array(sessionSummarySchema),
  /** Sessions that match the filter, whatever the page. */
  total: z.number(),
  /** Of the sessions that match, as their rows tell it: main sessions with their sub-agents; of all kinds together everything once. */
  sums: z.strictObject({
    usage: tokenUsageSchema,
    cost: costSchema,
    toolCalls: z.number(),
    failures: sessionFailuresSchema,
  }),
  /** Totals per day of last activity in `tz` (all, or those that `days` asks for), over the whole filter, newest first; `day` is YYYY-MM-DD or 'unknown'. */
  days: z.array(
    z.strictObject({
      day: z.string(),
      sessions: z.number(),
      usage: tokenUsageSchema,
      cost: costSchema,
      /** What the rows of the day show: main sessions with their sub-agents; of all kinds together each token once. */
      withSubagents: z.strictObject({ usage: tokenUsageSchema, cost: costSchema }),
    }),
  ),
  /** Models and how many of the filtered sessions (model filter aside) used each. */
  models: z.array(z.strictObject({ name: z.string(), sessions: z.number() })),
  /** How many there are of each kind that there is, whatever the filter; those of `empty` are of `main`, too. */
  kinds: z.array(z.strictObject({ kind: z.enum(LISTED_KINDS), sessions: z.number() })),
  /** How many each program recorded, whatever the filter; one that recorded none is left out. */
  sources: z.array(z.strictObject({ source: sessionProgramSchema, sessions: z.number() })),
  /** Sessions in which nothing was ever said, among those that match: with `empty=exclude` they are in no other figure here. */
  empty: z.number(),
  /** How many there are of which nothing is in a home any more, whatever the filter. */
  deleted: z.number(),
  nextCursor: z.string().nullable(),
  /** Where this is not everything, total, days and models know of some sessions only that they are there. */
  coverage: coverageSchema,
  /** Of all that the answer could be made of. */
  unread: unreadSchema.optional(),
})
export type SessionList = z.infer<typeof sessionListSchema>

/** In which form a session’s turns are wanted. */
export const sessionDetailQuerySchema = z.object({
  /** How the turns come: one by one, or by columns in `turnColumns`, which is a third of that. */
  outline: z.enum(['turns', 'columns']).default('turns'),
})

const atTurn = <Value extends z.ZodType>(value: Value) => z.array(z.tuple([z.number(), value]))

/** The turns of an outline by columns: the n-th entry is of the n-th turn; pairs are of those turns (0-based) alone that have it. */
const turnColumnsSchema = z.strictObject({
  firstNumber: z.number(),
  keys: z.array(z.string()),
  messageCounts: z.array(z.number()),
  prompts: z.array(z.string()),
  /** As recorded, or milliseconds since the start of the turn before. */
  startTimes: z.array(z.union([z.number(), z.string()]).nullable()),
  /** As recorded, or milliseconds since the turn's start. */
  endTimes: z.array(z.union([z.number(), z.string()]).nullable()),
  usage: z.record(tokenUsageSchema.omit({ unknownFigures: true }).keyof(), z.array(z.number())),
  usd: z.array(z.number().nullable()),
  toolCalls: z.array(z.number()),
  thoughts: z.array(z.number()),
  unpricedCalls: atTurn(z.number()),
  toolErrors: atTurn(z.number()),
  failedKeys: atTurn(z.string()),
  segments: atTurn(z.number()),
  superseded: atTurn(supersededSchema),
  failures: atTurn(turnSchema.shape.failure.unwrap()),
})
/** As sent; `fromTurnColumns` makes turns of them. */
export type TurnColumns = z.infer<typeof turnColumnsSchema>

/** What the page of a session begins with: all but its messages. */
export const sessionDetailSchema = answer({
  session: sessionSummarySchema,
  /** Of which state of the session's files this is, as in a page of its messages. */
  state: z.string(),
  segments: z.array(segmentSchema),
  /** Messages to be read: also where the row does not count them, as it is not read yet or its file is damaged. */
  messageTotal: z.number(),
  outline: z.array(turnSchema),
  /** Where they were asked for: `outline` is empty then. */
  turnColumns: turnColumnsSchema.optional(),
  compressions: z.array(compressionSchema),
  /** Keys of the messages drawn unfolded in a buried session; null otherwise. */
  drawnKeys: z.array(z.string()).nullable(),
  /** Keys of the messages with which a later run of the CLI went on (0.39+). */
  resumedKeys: z.array(z.string()),
  /** Why the CLI's final state of a buried session is empty; null otherwise. */
  buriedBy: z.enum(['rewound', 'refused', 'failed-load', 'cleared']).nullable(),
  /** What the CLI holds no more, where it happened. */
  branches: z.array(sideBranchSchema),
  activity: sessionActivitySchema,
  figures: z.strictObject({
    savedByCache: costSchema,
    superseded: z.array(supersededSumSchema),
    /** From the first recorded instant to the last. */
    wallMs: z.number(),
    /** Of it waited for the model or a tool. */
    activeMs: z.number(),
    /** How many calls of tools failed, in a sentence, and the message with the first; null where none did. */
    failedCalls: z.strictObject({ text: z.string(), messageKey: z.string() }).nullable(),
  }),
  /** For links: the rows behind `subagentKeys` and `sameRunKeys`, and those of all sessions that count requests of this one. */
  related: z.array(sessionSummarySchema),
  /** Files of this session. */
  unread: unreadSchema.optional(),
})
export type SessionDetail = z.infer<typeof sessionDetailSchema>

/** What of a session a hit can stand in. */
export const searchFieldSchema = z.enum(SEARCH_FIELDS)
export type SearchField = z.infer<typeof searchFieldSchema>

/** How long a search looks at files where nothing else is asked for. */
export const SEARCH_SECONDS = 10
const MAX_SEARCH_SECONDS = 600

/** A search over all sessions: what is looked for, where, and which page of hits. */
export const searchQuerySchema = z.object({
  /** In the language of the search box: words, phrases, `-not`, filters such as `tool:shell`. */
  q: queryField,
  mode: z.enum(['words', 'substring', 'regex']).default('words'),
  /** `relevance`, best match first: titles, what a person or the model said, thoughts, commands, output; of equal ones the newest. */
  sort: z.enum(['relevance', 'recent']).default('relevance'),
  // Beside the filters inside `q`, and joined with them by AND. Values that are parted by commas mean one of them.
  project: z.string().max(4096).optional(),
  model: z.string().max(1000).optional(),
  /** Fields to search in; all if absent. */
  in: z.string().max(200).optional(),
  tool: z.string().max(1000).optional(),
  status: z.string().max(200).optional(),
  is: z.string().max(200).optional(),
  source: z.string().max(200).optional(),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  limit: limitField(50),
  cursor: z.string().max(1000).optional(),
  /** Seconds after which a look at the files themselves (exact text, patterns) ends with what it has found. */
  timeout: z.coerce.number().positive().max(MAX_SEARCH_SECONDS).optional(),
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
const relaxationSchema = z.strictObject({
  /** As a person would call it: `project: webshop`. */
  label: z.string(),
  q: z.string(),
  /** The parameter beside `q` that is to go; null: `q` itself has changed. */
  parameter: z.enum(['project', 'model', 'in', 'tool', 'status', 'is', 'source', 'time']).nullable(),
  total: z.number(),
})
export type Relaxation = z.infer<typeof relaxationSchema>

/** How a query of words that finds nothing was read, and what it finds when it is read otherwise. */
const otherwiseSchema = z.strictObject({
  /** `read`: words were taken for something else; `exact`: as exact text; `sessions`: its words in different messages of one session; `data`: what words are not looked for in. */
  kind: z.enum(['read', 'exact', 'sessions', 'data']),
  /** For people. */
  sentence: z.string(),
  /** Results, sessions, or messages with such data; null with `read`. */
  total: z.number().nullable(),
  /** With `sessions`: the newest of them. */
  sessions: z.array(z.strictObject({ key: z.string(), title: z.string() })),
})
export type Otherwise = z.infer<typeof otherwiseSchema>

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
    /** Programs that recorded the sessions; empty where there is but one. */
    source: facetSchema,
    day: facetSchema,
  }),
  coverage: coverageSchema,
  /** What the reader should know: what was not looked at, words read literally, an index still growing. */
  notes: z.array(z.string()),
  /** Where nothing is found: a query of words that are there. */
  didYouMean: z.string().nullable(),
  /** Where nothing is found: filters that could go. */
  relax: z.array(relaxationSchema),
  /** The same: how it was read, and what it would find otherwise. Left out where there is nothing to say. */
  otherwise: z.array(otherwiseSchema).optional(),
  /** Of the next page of hits; of a search whose time was over, when there is no further page, of where it goes on: it begins with `0~` then. */
  nextCursor: z.string().nullable(),
  /**
   * Not all was looked at, so totals and facets are those of what was, and `coverage` says how much that is. null: it was
   * complete. A search that goes on tells of what it finds from there on.
   */
  partial: z
    .strictObject({
      /** Its time was over after so long; null: all files were looked at, but not each text. */
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
  q: queryField,
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
