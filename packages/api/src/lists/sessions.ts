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

/** Each is descending (`recent`: newest first; `oldest`: earliest start first); a leading `-` reverses it. */
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
/** One of `SESSION_ORDERS`, without a sign. */
export type SessionOrder = (typeof SESSION_ORDERS)[number]

/** What a row of a list can be. */
export const SESSION_KINDS = sessionSummarySchema.shape.kind.options

/** What a list can contain. `empty`: main sessions without any conversation. */
export const LISTED_KINDS = [...SESSION_KINDS, 'empty'] as const

/** Which sessions, in which order, and which page. */
export const sessionQuerySchema = z.object({
  /** A project's key, name or path, or a fuzzy part of one. */
  project: z.string().max(4096).optional(),
  /** Exact model name. */
  model: z.string().max(200).optional(),
  /** Only sessions that called this tool, including in their sub-agents: its name, display name, or a part of one. */
  tool: z.string().max(200).optional(),
  /** Only sessions with files or images attached to prompts (true), or only those without (false). */
  attachments: z.enum(['true', 'false']).optional(),
  kind: z.enum([...LISTED_KINDS, 'all']).default('main'),
  /** Only sessions recorded by this program. */
  source: sessionProgramSchema.optional(),
  /** Only sub-agents started by the session with this key. */
  parent: z.string().max(200).optional(),
  /** Only sessions with a file in this Gemini folder: its label or its path. */
  home: z.string().max(4096).optional(),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  sort: z.enum([...SESSION_ORDERS, ...SESSION_ORDERS.map((order) => `-${order}` as const)]).default('recent'),
  /** Only sessions with this text in the title or first prompt (ignoring case and accents). */
  title: z.string().max(200).optional(),
  /** How `title` is matched: as an exact part, or by its words in any order with letters omitted. */
  match: z.enum(['part', 'near']).optional(),
  /**
   * errors: only sessions in which something failed (a call, a request, a prompt without an answer), including in their sub-agents; live:
   * only live sessions.
   */
  has: z.enum(['errors', 'live']).optional(),
  /** Only starred sessions (true), or only those without a star (false); a starred message counts for its session. */
  starred: z.enum(['true', 'false']).optional(),
  /** Only sessions with this tag (ignoring case and accents). */
  tag: z.string().max(64).optional(),
  /** Sessions that remain only in the archive: included (default), alone, or excluded. */
  deleted: z.enum(['include', 'only', 'exclude']).optional(),
  /** Sessions without any conversation: included (default) or excluded. */
  empty: z.enum(['include', 'exclude']).optional(),
  /** The days to return totals for: all (default), those of the returned rows, or none. */
  days: z.enum(['all', 'rows', 'none']).optional(),
  limit: limitField(100),
  cursor: z.string().max(400).optional(),
})
export type SessionQuery = z.infer<typeof sessionQuerySchema>

/** A page of rows, and figures for all rows that match. */
export const sessionListSchema = answer({
  sessions: z.array(sessionSummarySchema),
  /** Sessions that match the filter, on all pages. */
  total: z.number(),
  /** Sums over the matching sessions: main sessions include their sub-agents; with all kinds, everything is counted once. */
  sums: z.strictObject({
    usage: tokenUsageSchema,
    cost: costSchema,
    toolCalls: z.number(),
    failures: sessionFailuresSchema,
  }),
  /**
   * Totals per day of last activity in `tz` (for all days, or as `days` says), over the whole filter, newest first; `day` is YYYY-MM-DD or
   * 'unknown'.
   */
  days: z.array(
    z.strictObject({
      day: z.string(),
      sessions: z.number(),
      usage: tokenUsageSchema,
      cost: costSchema,
      /** Sum of the day's rows: main sessions include their sub-agents; with all kinds, each token is counted once. */
      withSubagents: z.strictObject({ usage: tokenUsageSchema, cost: costSchema }),
    }),
  ),
  /** Models, and how many of the filtered sessions (ignoring the model filter) used each. */
  models: z.array(z.strictObject({ name: z.string(), sessions: z.number() })),
  /** Number of sessions of each existing kind, regardless of the filter; those in `empty` are also in `main`. */
  kinds: z.array(z.strictObject({ kind: z.enum(LISTED_KINDS), sessions: z.number() })),
  /** Number of sessions recorded by each program, regardless of the filter; programs without sessions are left out. */
  sources: z.array(z.strictObject({ source: sessionProgramSchema, sessions: z.number() })),
  /** Matching sessions without any conversation: with `empty=exclude`, no other figure here includes them. */
  empty: z.number(),
  /** Number of sessions that remain only in the archive, regardless of the filter. */
  deleted: z.number(),
  nextCursor: z.string().nullable(),
  /** If incomplete, total, days and models know only of the existence of some sessions. */
  coverage: coverageSchema,
  /** Of all files that could contribute to the answer. */
  unread: unreadSchema.optional(),
})
export type SessionList = z.infer<typeof sessionListSchema>

/** The form in which a session’s turns are returned. */
export const sessionDetailQuerySchema = z.object({
  /** Turns one by one, or as columns in `turnColumns`, which take a third of the size. */
  outline: z.enum(['turns', 'columns']).default('turns'),
})

const atTurn = <Value extends z.ZodType>(value: Value) => z.array(z.tuple([z.number(), value]))

/** The turns of an outline as columns: entry n is for turn n; pairs list only the turns (0-based) that have the value. */
const turnColumnsSchema = z.strictObject({
  firstNumber: z.number(),
  keys: z.array(z.string()),
  messageCounts: z.array(z.number()),
  prompts: z.array(z.string()),
  /** As recorded, or milliseconds since the start of the previous turn. */
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
/** As sent; `fromTurnColumns` restores the turns. */
export type TurnColumns = z.infer<typeof turnColumnsSchema>

/** Everything about a session except its messages. */
export const sessionDetailSchema = answer({
  session: sessionSummarySchema,
  /** The version of the session's files, as in a page of its messages. */
  state: z.string(),
  segments: z.array(segmentSchema),
  /** Readable messages: also if the row does not count them, because it is not read yet or its file is damaged. */
  messageTotal: z.number(),
  outline: z.array(turnSchema),
  /** If requested; `outline` is empty then. */
  turnColumns: turnColumnsSchema.optional(),
  compressions: z.array(compressionSchema),
  /** Keys of the messages shown unfolded in a buried session; null otherwise. */
  drawnKeys: z.array(z.string()).nullable(),
  /** Keys of the messages with which a later run of the CLI continued (0.39+). */
  resumedKeys: z.array(z.string()),
  /** Why the CLI's final state of a buried session is empty; null otherwise. */
  buriedBy: z.enum(['rewound', 'refused', 'failed-load', 'cleared']).nullable(),
  /** Superseded messages, where they occurred. */
  branches: z.array(sideBranchSchema),
  activity: sessionActivitySchema,
  figures: z.strictObject({
    savedByCache: costSchema,
    superseded: z.array(supersededSumSchema),
    /** From the first recorded instant to the last. */
    wallMs: z.number(),
    /** The part of it spent waiting for the model or a tool. */
    activeMs: z.number(),
    /** How many tool calls failed, in a sentence, and the first message with one; null if none. */
    failedCalls: z.strictObject({ text: z.string(), messageKey: z.string() }).nullable(),
  }),
  /** For links: the rows for `subagentKeys` and `sameRunKeys`, and for all sessions that count requests of this one. */
  related: z.array(sessionSummarySchema),
  /** Files of this session. */
  unread: unreadSchema.optional(),
})
export type SessionDetail = z.infer<typeof sessionDetailSchema>

/** The field of a session that a hit is in. */
export const searchFieldSchema = z.enum(SEARCH_FIELDS)
export type SearchField = z.infer<typeof searchFieldSchema>

/** Default time limit of a search that reads files. */
export const SEARCH_SECONDS = 10
const MAX_SEARCH_SECONDS = 600

/** A search over all sessions: query, filters and page of hits. */
export const searchQuerySchema = z.object({
  /** In the query language of the search box: words, phrases, `-not`, filters such as `tool:shell`. */
  q: queryField,
  mode: z.enum(['words', 'substring', 'regex']).default('words'),
  /** `relevance`: best match first, in the order titles, prompts and answers, thoughts, commands, output; ties by newest. */
  sort: z.enum(['relevance', 'recent']).default('relevance'),
  // Combined with the filters inside `q` by AND. Comma-separated values are alternatives.
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
  /** Seconds after which a search in the files themselves (exact text, patterns) returns what it has found. */
  timeout: z.coerce.number().positive().max(MAX_SEARCH_SECONDS).optional(),
})
export type SearchQuery = z.infer<typeof searchQuerySchema>

/** One field of one message, or the title of a session, that matches. */
export const searchHitSchema = z.strictObject({
  sessionKey: z.string(),
  /** null for a hit in the title. */
  messageKey: z.string().nullable(),
  messageId: z.string().nullable(),
  field: searchFieldSchema,
  /** The part of the field around the first match. */
  snippet: z.string(),
  /** UTF-16 offsets into `snippet`, end exclusive. */
  ranges: z.array(z.tuple([z.number(), z.number()])),
  timestamp: z.string().nullable(),
  /** Name of the tool, for hits in its arguments or output. */
  toolName: z.string().nullable(),
  /** The message is superseded. */
  superseded: z.boolean(),
})
export type SearchHit = z.infer<typeof searchHitSchema>

/** A filter in `q`. */
const writtenFilterSchema = z.strictObject({
  /** `text` for an excluded word: `-word`. */
  field: z.string(),
  value: z.string(),
  isNegated: z.boolean(),
  /** UTF-16 offsets into `q`, end exclusive. */
  start: z.number(),
  end: z.number(),
  /** `q` without the filter. */
  without: z.string(),
})

/** A restriction to remove if nothing is found, and the resulting number of hits. */
const relaxationSchema = z.strictObject({
  /** For display: `project: webshop`. */
  label: z.string(),
  q: z.string(),
  /** The parameter beside `q` to remove; null: `q` itself has changed. */
  parameter: z.enum(['project', 'model', 'in', 'tool', 'status', 'is', 'source', 'time']).nullable(),
  total: z.number(),
})
export type Relaxation = z.infer<typeof relaxationSchema>

/** How a query of words without hits was read, and what it finds if read differently. */
const otherwiseSchema = z.strictObject({
  /**
   * `read`: words were taken for something else; `exact`: as exact text; `sessions`: its words in different messages of one session;
   * `data`: base64 data, which is not searched for words; `saved`: outputs in separate files, which are not searched.
   */
  kind: z.enum(['read', 'exact', 'sessions', 'data', 'saved']),
  /** For display. */
  sentence: z.string(),
  /** Hits, sessions, or messages with such data; null for `read`. */
  total: z.number().nullable(),
  /** For `sessions`: the newest of them. */
  sessions: z.array(z.strictObject({ key: z.string(), title: z.string() })),
})
export type Otherwise = z.infer<typeof otherwiseSchema>

const facetSchema = z.array(z.strictObject({ value: z.string(), label: z.string(), count: z.number() }))

/** A page of hits, and figures for all of them. */
export const searchResultSchema = answer({
  /** Hits (one per message and field), messages and sessions, on all pages. */
  total: z.number(),
  messageTotal: z.number(),
  sessionTotal: z.number(),
  hits: z.array(searchHitSchema),
  sessions: z.record(
    z.string(),
    z.strictObject({
      title: z.string(),
      kind: sessionSummarySchema.shape.kind,
      source: sessionSummarySchema.shape.source,
      project: z.strictObject({ key: z.string(), name: z.string(), path: z.string().nullable() }),
      startTime: z.string().nullable(),
      models: z.array(z.strictObject({ name: z.string(), calls: z.number() })).nullable(),
      /** Hits in this session, on all pages. */
      hits: z.number(),
    }),
  ),
  /** Filters in `q`, as written. */
  filters: z.array(writtenFilterSchema),
  /** The session whose id or key is `q`. */
  named: z.strictObject({ key: z.string(), title: z.string() }).nullable(),
  /** Hits by possible further filters. Each facet applies all filters except its own. */
  facets: z.strictObject({
    project: facetSchema,
    field: facetSchema,
    model: facetSchema,
    tool: facetSchema,
    status: facetSchema,
    is: facetSchema,
    /** Programs that recorded the sessions; empty if there is only one. */
    source: facetSchema,
    day: facetSchema,
  }),
  coverage: coverageSchema,
  /** What the reader should know: what was not searched, words read literally, an index still being built. */
  notes: z.array(z.string()),
  /** If nothing is found: a similar query whose words exist. */
  didYouMean: z.string().nullable(),
  /** If nothing is found: filters that could be removed. */
  relax: z.array(relaxationSchema),
  /** If nothing is found: how the query was read, and what it would find otherwise. Left out if there is nothing to report. */
  otherwise: z.array(otherwiseSchema).optional(),
  /** For the next page of hits. If a search timed out and this is its last page, where it continues: the cursor then begins with `0~`. */
  nextCursor: z.string().nullable(),
  /**
   * Not everything was searched: totals and facets are of the searched part, whose size is in `coverage`. null: complete. A continued
   * search reports what it finds from there on.
   */
  partial: z
    .strictObject({
      /** Time limit that was reached; null: all files were searched, but not all texts. */
      seconds: z.number().nullable(),
      /** Messages not fully searched, because the pattern takes too long on them. */
      messagesLeftOut: z.number(),
    })
    .nullable(),
  /** Of all files that could contribute to the answer. */
  unread: unreadSchema.optional(),
})
export type SearchResult = z.infer<typeof searchResultSchema>

/** A search being typed. */
export const suggestQuerySchema = z.object({
  q: queryField,
  /** Caret position in `q` (UTF-16); default: the end. */
  at: z.coerce.number().int().min(0).optional(),
  tz: zoneField.optional(),
})
export type SuggestQuery = z.infer<typeof suggestQuerySchema>

/** Replacements for `q` from `start` to `end`. */
export const suggestionListSchema = answer({
  start: z.number(),
  end: z.number(),
  items: z.array(z.strictObject({ text: z.string(), label: z.string(), hint: z.string() })),
})
export type SuggestionList = z.infer<typeof suggestionListSchema>
