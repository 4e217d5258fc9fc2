import {
  contextXraySchema,
  costSchema,
  messageSchema,
  type Neighbours,
  neighboursSchema,
  reasoningSchema,
  sessionChangesSchema,
  sessionSummarySchema,
  supersededSchema,
  timelineSchema,
  tokenUsageSchema,
  turnSchema,
  wasteSchema,
} from 'gemini-sessions'
import { z } from 'zod'
import { costWhySchema, sessionCostSchema, sessionWhatIfSchema } from './cost.ts'
import { answer, limitField, queryField, versionField, zoneField } from './fields.ts'

/** What to copy, uncut: one message, one turn, or (with neither) the whole session. */
export const transcriptQuerySchema = z.object({
  as: z.enum(['markdown', 'text']).default('markdown'),
  message: z.string().max(400).optional(),
  /** The turn that contains this message. */
  turnOf: z.string().max(400).optional(),
  /** Default: `on` for a whole session, `off` for a part of one. */
  redact: z.enum(['on', 'off']).optional(),
})
export type TranscriptQuery = z.infer<typeof transcriptQuerySchema>

/** `redacted`: number of replacements. `secrets`: number of secrets in the text. */
export const transcriptSchema = answer({ text: z.string(), redacted: z.number(), secrets: z.number() })
export type Transcript = z.infer<typeof transcriptSchema>

/** A session on one time axis, sub-agents below the calls that started them: the unchanged model. */
export const sessionTimelineSchema = timelineSchema.extend(versionField)

/** Which blocks of a conversation to return: prompts and answers, failures, edits, shell commands, thoughts. */
export const messageFilterSchema = z.enum(['dialogue', 'errors', 'edits', 'shell', 'thoughts'])

export type MessageFilter = z.infer<typeof messageFilterSchema>

/** No text field in `/messages` is longer than this; a cut one carries `cut: { sizeBytes, href }`. */
export const MAX_FIELD_BYTES = 64 * 1024

/** Which messages of a session, and which page of them. */
export const messageQuerySchema = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: limitField(100),
  superseded: z.enum(['include', 'exclude']).default('include'),
  /** Only messages with such a block; `offset`, `total` and `around` then count only those. */
  show: messageFilterSchema.optional(),
  /** A message key, or a prefix of one: returns the page with this message (at about a third); ignores `offset`. */
  around: z.string().max(400).optional(),
  /** Allows an answer with only the first messages of a long session that was not read yet: see `partial`. */
  partial: z.enum(['allow']).optional(),
})
export type MessageQuery = z.infer<typeof messageQuerySchema>

/** Messages in display order. */
export const messagePageSchema = answer({
  messages: z.array(messageSchema),
  /** Position of the first message of this page in the whole list. */
  offset: z.number(),
  /** null: unknown, because only part of the session was read. */
  total: z.number().nullable(),
  nextOffset: z.number().nullable(),
  /**
   * Only the beginning of the session was replayed: its content may still be rewound, replaced or extended. Only if allowed by the query;
   * without, the same page is complete.
   */
  partial: z.boolean(),
  /** The version of the session's files: answers with the same state belong together. */
  state: z.string(),
  /** With `show`: position of each message in the whole session (0-based). */
  positions: z.array(z.number()).optional(),
  /** With `partial`: its row, and the complete turns. */
  session: sessionSummarySchema.optional(),
  outline: z.array(turnSchema).optional(),
})
export type MessagePage = z.infer<typeof messagePageSchema>

/** Which output of a call: the model's, the one the CLI displayed, or the n-th additional part. */
export const toolOutputQuerySchema = z.object({
  of: z
    .string()
    .regex(/^(output|display|extra-\d{1,6})$/, {
      message: 'is one of output, display, extra-0, extra-1, ...',
    })
    .default('output'),
})

/** The record from the file, with its position. `record` is JSON; `null` if only text could be read. */
export const rawRecordSchema = answer({
  file: z.string(),
  line: z.number().nullable(),
  index: z.number().nullable(),
  record: z.unknown(),
})
export type RawRecord = z.infer<typeof rawRecordSchema>

/** The same query language as the search over all sessions. */
export const findQuerySchema = z.object({
  q: queryField,
  mode: z.enum(['words', 'substring', 'regex']).default('words'),
  tz: zoneField.optional(),
  /** Starts at this message, to continue a partial answer. */
  offset: z.coerce.number().int().min(0).optional(),
})
export type FindQuery = z.infer<typeof findQuerySchema>

/** Results of a search in one session. */
export const findResultSchema = answer({
  /** Hits in reading order, up to where it stopped. */
  hits: z.array(
    z.strictObject({
      messageKey: z.string(),
      offset: z.number(),
      field: z.string(),
      snippet: z.string(),
      ranges: z.array(z.tuple([z.number(), z.number()])),
    }),
  ),
  total: z.number(),
  /** Not everything was searched within ten seconds. */
  partial: z
    .strictObject({
      /** `offset` to continue with; null: it reached the end. */
      nextOffset: z.number().nullable(),
      /** Messages not fully searched, because the pattern takes too long on them. */
      messagesLeftOut: z.number(),
    })
    .nullable(),
})
export type FindResult = z.infer<typeof findResultSchema>

/**
 * A whole session in a few bytes per message, in display order. One letter per message in `voices`: p prompt, a answer, t thoughts only, c
 * calls (with or without thoughts), i injected or a sub-agent's prompt, n notice, - nothing to show.
 */
export const sessionMapSchema = answer({
  voices: z.string(),
  /** One digit per message, a sum of flags: 1 something failed, 2 superseded, 4 a copy, which does not count as a call. */
  marks: z.string(),
  /** Approximate lines per message as initially displayed. */
  lines: z.array(z.number()),
  /** Number of messages that match each filter. */
  counts: z.record(messageFilterSchema, z.number()),
})
export type SessionMap = z.infer<typeof sessionMapSchema>

/** Form and resolution of the calls. */
export const sessionCallsQuerySchema = z.object({
  /** Maximum number of entries: each is then a step of several consecutive calls. */
  steps: z.coerce.number().int().min(1).max(10_000).optional(),
})

/**
 * The model calls of a session in display order, as columns: entry n of each list is for call n. About 1 MB for a session of 20,000
 * messages. Copies are not calls. With `steps`, an entry is the call with most tokens in its step;
 * `failed` and `atHigherRate` then list the steps with such a call, `superseded` those in which all calls were.
 */
export const sessionCallsSchema = answer({
  messageKeys: z.array(z.string()),
  /** Positions in the session's message list. */
  offsets: z.array(z.number()),
  turns: z.array(z.number()),
  /** Milliseconds since 1970; null: not recorded. */
  times: z.array(z.number().nullable()),
  models: z.array(
    z.strictObject({
      name: z.string(),
      /** Size of its context window in tokens; null if unknown. */
      contextWindow: z.number().nullable(),
      /** Calls with more input than this have a higher rate; null: one rate for all. At the price on the day of its last call. */
      higherRateAbove: z.number().nullable(),
    }),
  ),
  /** Position in `models`; null: not recorded. */
  modelOf: z.array(z.number().nullable()),
  /** null: tokens not recorded; the other counts are 0 then. */
  input: z.array(z.number().nullable()),
  cached: z.array(z.number()),
  output: z.array(z.number()),
  thoughts: z.array(z.number()),
  tool: z.array(z.number()),
  /** null: no price is known. */
  usd: z.array(z.number().nullable()),
  /** Indexes (0-based) of the calls billed at a higher tier for their long input. */
  atHigherRate: z.array(z.number()),
  /** Indexes of the calls that led to a failed tool. */
  failed: z.array(z.number()),
  /** Index and cause of the superseded calls, which were billed anyway. */
  superseded: z.array(z.tuple([z.number(), supersededSchema])),
  /** If steps were requested. */
  steps: z
    .strictObject({
      /** Calls per step; the last may have fewer. */
      size: z.number(),
      calls: z.number(),
      failedCalls: z.number(),
      /** Sum per step; null: no price is known. */
      usd: z.array(z.number().nullable()),
      /** Input of the last recorded call that is not superseded; null if none. */
      contextNow: z.number().nullable(),
    })
    .optional(),
})
export type SessionCalls = z.infer<typeof sessionCallsSchema>

/** What the CLI keeps of a session outside its file: the unchanged model. */
export const sessionNeighboursSchema = neighboursSchema.extend(versionField)
export type SessionNeighbours = Neighbours

/** How much to return of a file beside a session. */
export const neighbourFileQuerySchema = z.object({
  /** Only the first bytes, this many; default: the whole file. */
  limit: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
})
export type NeighbourFileQuery = z.infer<typeof neighbourFileQuerySchema>

/** Larger budgets are clamped, never refused. */
const MAX_BUDGET = 1_000_000

/** Maximum length, and whether to redact. */
export const handoverQuerySchema = z.object({
  /** In tokens: an upper bound for the tokenizers of Gemini and of GPT (o200k). */
  budget: z.coerce
    .number({ message: 'is not a number of tokens' })
    .int({ message: 'is not a whole number of tokens' })
    .min(1, { message: 'is not a number of tokens above 0' })
    .transform((tokens) => Math.min(tokens, MAX_BUDGET))
    .default(20_000),
  /** `off`: secrets, the home folder, user and host names, and email addresses are left in. */
  redact: z.enum(['on', 'off']).default('on'),
})
export type HandoverQuery = z.infer<typeof handoverQuerySchema>

/** A brief for another agent: what it needs to continue a session, every quote from the record. */
export const handoverSchema = answer({
  /** Markdown. '' if not even one line fits into the budget. */
  text: z.string(),
  /** Tokens of the text, an upper bound computed without a tokenizer, for Gemini and GPT (o200k). Never more than the budget. */
  tokens: z.number(),
  /** How many of each are missing from the text; `shortened` counts those included in part. */
  leftOut: z.strictObject({
    prompts: z.number(),
    /** The user's answers to questions of the model, and approved plans. */
    answers: z.number(),
    /** From the last task list. */
    tasks: z.number(),
    /** Saved for later sessions. */
    memories: z.number(),
    exchanges: z.number(),
    files: z.number(),
    errors: z.number(),
    commands: z.number(),
    shortened: z.number(),
  }),
})
export type Handover = z.infer<typeof handoverSchema>

const none = z.object({})
const ofMessage = z.object({ messageKey: z.string() })

/**
 * All questions about one session. The name of a question is its path below `/api/sessions/:key/`; names with `:` are path parameters, the
 * others query parameters. `shape` names the answer in the docs; bytes and texts of messages have none. Route, path, docs and the page's
 * client are derived from this table; the reader defines how each is made (`MAKERS`).
 */
export const SESSION_QUESTIONS = {
  messages: { parameters: messageQuerySchema, answer: messagePageSchema, shape: 'MessagePage' },
  'messages/:messageKey/raw': { parameters: ofMessage, answer: rawRecordSchema, shape: 'RawRecord' },
  'messages/:messageKey/parts/:index': {
    parameters: ofMessage.extend({ index: z.coerce.number().int().min(0) }),
    answer: null,
  },
  'tool-calls/:callId/output': {
    parameters: toolOutputQuerySchema.extend({ callId: z.string() }),
    answer: null,
  },
  map: { parameters: none, answer: sessionMapSchema, shape: 'SessionMap' },
  calls: { parameters: sessionCallsQuerySchema, answer: sessionCallsSchema, shape: 'SessionCalls' },
  cost: { parameters: none, answer: sessionCostSchema, shape: 'SessionCost' },
  transcript: {
    parameters: transcriptQuerySchema,
    answer: transcriptSchema,
    shape: 'Transcript',
  },
  find: { parameters: findQuerySchema, answer: findResultSchema, shape: 'FindResult' },
  reasoning: { parameters: none, answer: reasoningSchema.extend(versionField), shape: 'Reasoning' },
  context: {
    parameters: none,
    answer: contextXraySchema.extend(versionField),
    shape: 'ContextXray',
  },
  waste: { parameters: none, answer: wasteSchema.extend(versionField), shape: 'Waste' },
  why: { parameters: none, answer: costWhySchema, shape: 'CostWhy' },
  'what-if': { parameters: none, answer: sessionWhatIfSchema, shape: 'SessionWhatIf' },
  neighbours: { parameters: none, answer: sessionNeighboursSchema, shape: 'SessionNeighbours' },
  'neighbours/:fileId': {
    parameters: neighbourFileQuerySchema.extend({ fileId: z.string() }),
    answer: null,
  },
  changes: { parameters: none, answer: sessionChangesSchema.extend(versionField), shape: 'SessionChanges' },
  handover: { parameters: handoverQuerySchema, answer: handoverSchema, shape: 'Handover' },
  timeline: { parameters: none, answer: sessionTimelineSchema, shape: 'SessionTimeline' },
} satisfies Record<string, { parameters: z.ZodObject; answer: z.ZodType | null; shape?: string }>

/** The name of a question, which is its path. */
export type SessionQuestion = keyof typeof SESSION_QUESTIONS

/** The parameters of a question, after defaults. */
export type SessionParameters<Q extends SessionQuestion> = z.output<
  (typeof SESSION_QUESTIONS)[Q]['parameters']
>

/** The JSON answer; `null` if it is bytes, or the text of one message. */
export type SessionAnswer<Q extends SessionQuestion> =
  (typeof SESSION_QUESTIONS)[Q]['answer'] extends infer Schema
    ? Schema extends z.ZodType
      ? z.output<Schema>
      : null
    : never

/** All names, in table order. */
export const sessionQuestions = Object.keys(SESSION_QUESTIONS) as SessionQuestion[]

/** The shell whose quoting rules a command follows. */
export const RESUME_SHELLS = ['posix', 'powershell'] as const
/** One of `RESUME_SHELLS`. */
export type Shell = (typeof RESUME_SHELLS)[number]

/**
 * The shell to quote the command for; default: that of the system the program runs on. With `at`, the command continues before the turn
 * with that number, in a separate session: it is a `gemini-dash fork` command.
 */
export const resumeQuerySchema = z.object({
  shell: z.enum(RESUME_SHELLS).optional(),
  at: z.coerce.number().int().min(1).optional(),
})

/** Obstacles; each has a sentence in `notes`. */
const RESUME_PROBLEMS = [
  'folder-gone',
  'other-home',
  'deleted-next-start',
  'shared-id',
  'cli-too-old',
  'deleted',
] as const
/** One of `RESUME_PROBLEMS`. */
export type ResumeProblem = (typeof RESUME_PROBLEMS)[number]

/** How to continue a session in Gemini CLI. */
export type Resume = z.infer<typeof resumeSchema>
export const resumeSchema = answer({
  /** The shell command; null: this cannot be resumed, and `notes` explain why. */
  command: z.string().nullable(),
  /** The folder to start it in; null if unknown. */
  cwd: z.string().nullable(),
  problems: z.array(z.enum(RESUME_PROBLEMS)),
  /** The oldest version of Gemini CLI that can resume it; null if none can. */
  needs: z.string().nullable(),
  /** What to know beforehand, one sentence each. */
  notes: z.array(z.string()),
})

/** Consecutive messages superseded for the same cause. */
export const sideBranchSchema = z.strictObject({
  cause: supersededSchema,
  /** Key of its first message. */
  firstKey: z.string(),
  firstOffset: z.number(),
  messages: z.number(),
  /** Numbers of the first and last turn that begin in it; null if none does. */
  turns: z.strictObject({ first: z.number(), last: z.number() }).nullable(),
  /** Of its model calls, which remain billed. */
  usage: tokenUsageSchema,
  cost: costSchema,
  /** First line written in it by the user or the model; '' if none. */
  firstLine: z.string(),
})
export type SideBranch = z.infer<typeof sideBranchSchema>

/** How much of a conversation to return; each includes everything before it. */
export const DEPTHS = ['prompts', 'talk', 'thoughts', 'tools', 'all'] as const
/** One of `DEPTHS`. */
export type Depth = (typeof DEPTHS)[number]

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a whole number')
  .transform(Number)

/** Which part of a session to return: depth, one turn by number, the last turns. Default: all of it. */
export const partQuerySchema = z.object({
  depth: z.enum(DEPTHS).optional(),
  turn: wholeNumber.optional(),
  last: wholeNumber.refine((count) => count > 0, 'is none').optional(),
})
export type PartQuery = z.output<typeof partQuerySchema>

/** Export formats; `vac` is the record of the IETF draft, `raw` the unchanged files. */
export const EXPORT_FORMATS = ['markdown', 'html', 'json', 'jsonl', 'vac', 'raw'] as const
/** One of `EXPORT_FORMATS`. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Default redaction: not for formats that other programs read. */
export function isRedactedByDefault(format: ExportFormat): boolean {
  return format !== 'json' && format !== 'jsonl' && format !== 'raw'
}

/**
 * How to export a session. `keep`: ids of changes, and kinds, that a reviewer switched off, comma-separated; `tz`: the zone of times in the
 * document and Markdown.
 */
export const exportQuerySchema = z.object({
  format: z.enum(EXPORT_FORMATS).default('markdown'),
  depth: z.enum(DEPTHS).default('all'),
  redact: z.enum(['on', 'off']).optional(),
  keep: z.string().max(6000).optional(),
  tz: zoneField.optional(),
})
export type ExportQuery = z.output<typeof exportQuerySchema>

/** The export whose changes to list. */
export const exportReviewQuerySchema = exportQuerySchema.omit({ redact: true, keep: true, tz: true })
export type ExportReviewQuery = z.output<typeof exportReviewQuerySchema>

const changeExampleSchema = z.object({
  /** Used in `keep`. */
  id: z.string(),
  /** Human-readable, such as "GitHub token". */
  name: z.string(),
  /** The original text, and its replacement. */
  value: z.string(),
  replacement: z.string(),
  /** Up to 40 characters on both sides of the first occurrence. */
  before: z.string(),
  after: z.string(),
  /** The message of the first occurrence; null: title or path of the session. */
  messageKey: z.string().nullable(),
  /** Number of replacements of this exact text. */
  count: z.number(),
})
/** One replaced text, with its context. */
export type ChangeExample = z.infer<typeof changeExampleSchema>

/** What is removed from a session on export. `leftOut`: what could not be examined, or is exported by name only. */
export const exportReviewSchema = answer({
  changes: z.array(
    z.object({
      kind: z.enum(['secret', 'home', 'user', 'host', 'email']),
      count: z.number(),
      /** Each replaced text once; at most 500 per kind. */
      examples: z.array(changeExampleSchema),
    }),
  ),
  leftOut: z.array(z.object({ what: z.string(), count: z.number() })),
})
export type ExportReview = z.infer<typeof exportReviewSchema>

/** Output of `export --json`: the written files. `sessionKey`: null if a file has several sessions. */
export const exportedFilesSchema = answer({
  files: z.array(z.object({ sessionKey: z.string().nullable(), path: z.string(), sizeBytes: z.number() })),
})
