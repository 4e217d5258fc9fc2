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

/** What to copy, uncut: one message, one turn, or (neither given) the whole session. */
export const transcriptQuerySchema = z.object({
  as: z.enum(['markdown', 'text']).default('markdown'),
  message: z.string().max(400).optional(),
  /** The turn that this message is in. */
  turnOf: z.string().max(400).optional(),
  /** Default: `on` for a whole session, `off` for a part of one. */
  redact: z.enum(['on', 'off']).optional(),
})
export type TranscriptQuery = z.infer<typeof transcriptQuerySchema>

/** `redacted`: so many places were replaced. `secrets`: so many stand in the text. */
export const transcriptSchema = answer({ text: z.string(), redacted: z.number(), secrets: z.number() })
export type Transcript = z.infer<typeof transcriptSchema>

/** A session on one time axis, its sub-agents below the calls that started them: the model as it is. */
export const sessionTimelineSchema = timelineSchema.extend(versionField)

/** Which blocks of a conversation to read: what was asked and answered, what failed, what was changed, what ran, what was thought. */
export const messageFilterSchema = z.enum(['dialogue', 'errors', 'edits', 'shell', 'thoughts'])

export type MessageFilter = z.infer<typeof messageFilterSchema>

/** No text field in `/messages` is longer than this; a cut one carries `cut: { sizeBytes, href }`. */
export const MAX_FIELD_BYTES = 64 * 1024

/** Which messages of a session, and which page of them. */
export const messageQuerySchema = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: limitField(100),
  superseded: z.enum(['include', 'exclude']).default('include'),
  /** Only the messages with such a block; `offset`, `total` and `around` then count those alone. */
  show: messageFilterSchema.optional(),
  /** A message key, or the beginning of one: the page begins so that this message is in it (at about a third); `offset` is then ignored. */
  around: z.string().max(400).optional(),
  /** The first messages of a long session that was not opened yet may be answered alone, before it is read: see `partial`. */
  partial: z.enum(['allow']).optional(),
})
export type MessageQuery = z.infer<typeof messageQuerySchema>

/** Messages as they are drawn, in the order of the session. */
export const messagePageSchema = answer({
  messages: z.array(messageSchema),
  /** Position of the first message of this page in the whole list. */
  offset: z.number(),
  /** null: not known yet, as only a part of the session was read. */
  total: z.number().nullable(),
  nextOffset: z.number().nullable(),
  /**
   * Only the beginning of the session has been replayed: what it says may still be taken back, replaced or added to. Only
   * where that was allowed; asked again without, the same page is whole.
   */
  partial: z.boolean(),
  /** Of which state of the session's files this is: what is told of a session in the same state belongs together. */
  state: z.string(),
  /** With `show`: where each message stands in the whole session (0-based). */
  positions: z.array(z.number()).optional(),
  /** With `partial`: its row, and the turns that are told whole. */
  session: sessionSummarySchema.optional(),
  outline: z.array(turnSchema).optional(),
})
export type MessagePage = z.infer<typeof messagePageSchema>

/** Which output of a call: what the model got, what the CLI drew, or the n-th part beside it. */
export const toolOutputQuerySchema = z.object({
  of: z
    .string()
    .regex(/^(output|display|extra-\d{1,6})$/, {
      message: 'is one of output, display, extra-0, extra-1, ...',
    })
    .default('output'),
})

/** The record as the file holds it, with its place. `record` is JSON; `null` where only text could be read. */
export const rawRecordSchema = answer({
  file: z.string(),
  line: z.number().nullable(),
  index: z.number().nullable(),
  record: z.unknown(),
})
export type RawRecord = z.infer<typeof rawRecordSchema>

/** The same language as a search over all sessions. */
export const findQuerySchema = z.object({
  q: queryField,
  mode: z.enum(['words', 'substring', 'regex']).default('words'),
  tz: zoneField.optional(),
  /** Begins with this message: where an answer that is partial goes on. */
  offset: z.coerce.number().int().min(0).optional(),
})
export type FindQuery = z.infer<typeof findQuerySchema>

/** What a search in one session found. */
export const findResultSchema = answer({
  /** Hits in the session, in reading order, up to where it stopped. */
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
  /** Not all was looked at within ten seconds. */
  partial: z
    .strictObject({
      /** `offset` of the question that goes on; null: it came to the end. */
      nextOffset: z.number().nullable(),
      /** Messages that were not searched whole, as the pattern takes too long on them. */
      messagesLeftOut: z.number(),
    })
    .nullable(),
})
export type FindResult = z.infer<typeof findResultSchema>

/**
 * A whole session in a few bytes a message, in drawn order.
 * One letter a message in `voices`: p prompt, a answer, t thoughts alone, c calls (with or without thoughts),
 * i injected or a sub-agent's prompt, n notice, - nothing of its own.
 */
export const sessionMapSchema = answer({
  voices: z.string(),
  /** One digit a message, added up: 1 something failed, 2 superseded, 4 a copy, which is no call of its own. */
  marks: z.string(),
  /** About how many lines each message takes on a page, as it is drawn at first. */
  lines: z.array(z.number()),
  /** Messages that each filter leaves. */
  counts: z.record(messageFilterSchema, z.number()),
})
export type SessionMap = z.infer<typeof sessionMapSchema>

/** In which form, and how finely, the calls are wanted. */
export const sessionCallsQuerySchema = z.object({
  /** At most so many entries: each is then a step of several calls that follow one another. */
  steps: z.coerce.number().int().min(1).max(10_000).optional(),
})

/**
 * The model calls of a session in drawn order, by columns: the n-th entry of each list is of the n-th call. A session of
 * 20,000 messages is about 1 MB of this. Copies are no calls. With `steps` an entry is that call of its step which has most tokens;
 * `failed` and `atHigherRate` then name the steps with such a call, `superseded` those where all were.
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
      /** Tokens that its prompt can hold; null: not known. */
      contextWindow: z.number().nullable(),
      /** Calls that send more cost more a token; null: one price for all. At the price of its last call's day. */
      higherRateAbove: z.number().nullable(),
    }),
  ),
  /** Position in `models`; null: not recorded. */
  modelOf: z.array(z.number().nullable()),
  /** null: the call's tokens are not recorded; the other counts are 0 then. */
  input: z.array(z.number().nullable()),
  cached: z.array(z.number()),
  output: z.array(z.number()),
  thoughts: z.array(z.number()),
  tool: z.array(z.number()),
  /** null: no price is known. */
  usd: z.array(z.number().nullable()),
  /** Numbers (0-based) of the calls billed at a higher tier for their long input. */
  atHigherRate: z.array(z.number()),
  /** Numbers of the calls that led to a failed tool. */
  failed: z.array(z.number()),
  /** Number and cause of the calls that were taken back, and billed all the same. */
  superseded: z.array(z.tuple([z.number(), supersededSchema])),
  /** Where steps were asked for. */
  steps: z
    .strictObject({
      /** Calls in each step; the last may have fewer. */
      size: z.number(),
      calls: z.number(),
      failedCalls: z.number(),
      /** Of all calls of each step; null: no price is known. */
      usd: z.array(z.number().nullable()),
      /** Input of the last recorded call that was not taken back; null: there is none. */
      contextNow: z.number().nullable(),
    })
    .optional(),
})
export type SessionCalls = z.infer<typeof sessionCallsSchema>

/** What the CLI keeps of a session outside its file: the model as it is. */
export const sessionNeighboursSchema = neighboursSchema.extend(versionField)
export type SessionNeighbours = Neighbours

/** How much of a file that lies beside a session. */
export const neighbourFileQuerySchema = z.object({
  /** Only so many bytes of the beginning; all of the file if absent. */
  limit: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
})
export type NeighbourFileQuery = z.infer<typeof neighbourFileQuerySchema>

/** Larger budgets are clamped, never refused. */
const MAX_BUDGET = 1_000_000

/** How long the text may be, and whether it is redacted. */
export const handoverQuerySchema = z.object({
  /** In tokens: an upper bound for the tokenizers of Gemini and of GPT (o200k). */
  budget: z.coerce
    .number({ message: 'is not a number of tokens' })
    .int({ message: 'is not a whole number of tokens' })
    .min(1, { message: 'is not a number of tokens above 0' })
    .transform((tokens) => Math.min(tokens, MAX_BUDGET))
    .default(20_000),
  /** `off`: secrets, the home folder, names of user and host, and e-mail addresses stay as they are. */
  redact: z.enum(['on', 'off']).default('on'),
})
export type HandoverQuery = z.infer<typeof handoverQuerySchema>

/** A brief for another agent: what it needs to go on with a session, every quote from the record. */
export const handoverSchema = answer({
  /** Markdown. '' where not a line fits into the budget. */
  text: z.string(),
  /** Of the text, counted without a tokenizer: those of Gemini and of GPT (o200k) count no more. Never more than the budget. */
  tokens: z.number(),
  /** How many there are that the text does not have; `shortened` counts those that it has in part. */
  leftOut: z.strictObject({
    prompts: z.number(),
    /** Answers of the person to questions of the model, and approved plans. */
    answers: z.number(),
    /** Of the last list of tasks. */
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
 * Everything that is asked of one session. The name of a question is its address below `/api/sessions/:key/`; what the
 * address names with `:` stands among the parameters, the others follow a `?`. `shape` names the answer in the docs;
 * bytes and texts of messages have none. Route, address, docs and the page's client follow from this table; the reader
 * says how each is made (`MAKERS`).
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

/** The name of a question, which is its address. */
export type SessionQuestion = keyof typeof SESSION_QUESTIONS

/** What a question is asked with, after defaults. */
export type SessionParameters<Q extends SessionQuestion> = z.output<
  (typeof SESSION_QUESTIONS)[Q]['parameters']
>

/** What comes back as JSON; `null` where it is bytes, or the text of one message. */
export type SessionAnswer<Q extends SessionQuestion> =
  (typeof SESSION_QUESTIONS)[Q]['answer'] extends infer Schema
    ? Schema extends z.ZodType
      ? z.output<Schema>
      : null
    : never

/** All names, in the order of the table. */
export const sessionQuestions = Object.keys(SESSION_QUESTIONS) as SessionQuestion[]

/** Whose rules of quoting a command follows. */
export const RESUME_SHELLS = ['posix', 'powershell'] as const
/** One of them. */
export type Shell = (typeof RESUME_SHELLS)[number]

/**
 * Which shell the command is quoted for; left out, that of the system on which the program runs. With `at` the command goes on before
 * the turn of that number, in a session of its own: it is one of `gemini-dash fork`.
 */
export const resumeQuerySchema = z.object({
  shell: z.enum(RESUME_SHELLS).optional(),
  at: z.coerce.number().int().min(1).optional(),
})

/** What speaks against it: each has its sentence in `notes`. */
const RESUME_PROBLEMS = [
  'folder-gone',
  'other-home',
  'deleted-next-start',
  'shared-id',
  'cli-too-old',
  'deleted',
] as const
/** One of them. */
export type ResumeProblem = (typeof RESUME_PROBLEMS)[number]

/** How Gemini CLI goes on with a session. */
export type Resume = z.infer<typeof resumeSchema>
export const resumeSchema = answer({
  /** To be typed into the shell; null: this cannot be resumed, and `notes` say why. */
  command: z.string().nullable(),
  /** The folder in which it has to be started; null: nobody knows it. */
  cwd: z.string().nullable(),
  problems: z.array(z.enum(RESUME_PROBLEMS)),
  /** The oldest version of Gemini CLI that can; null where nothing can be resumed. */
  needs: z.string().nullable(),
  /** What there is to know before, sentence by sentence. */
  notes: z.array(z.string()),
})

/** Messages that stand together and that the CLI holds no more, for one cause. */
export const sideBranchSchema = z.strictObject({
  cause: supersededSchema,
  /** Key of its first message. */
  firstKey: z.string(),
  firstOffset: z.number(),
  messages: z.number(),
  /** Numbers of the first and last turn that begin in it; null where none does. */
  turns: z.strictObject({ first: z.number(), last: z.number() }).nullable(),
  /** Of its model calls: they stay billed. */
  usage: tokenUsageSchema,
  cost: costSchema,
  /** First line that a person or the model wrote in it; '' if none. */
  firstLine: z.string(),
})
export type SideBranch = z.infer<typeof sideBranchSchema>

/** How much of a conversation is told; each holds all that stands before it. */
export const DEPTHS = ['prompts', 'talk', 'thoughts', 'tools', 'all'] as const
/** One of them. */
export type Depth = (typeof DEPTHS)[number]

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a whole number')
  .transform(Number)

/** What of a session is told: how much, one turn by its number, the last so many turns. Nothing given: all of it. */
export const partQuerySchema = z.object({
  depth: z.enum(DEPTHS).optional(),
  turn: wholeNumber.optional(),
  last: wholeNumber.refine((count) => count > 0, 'is none').optional(),
})
export type PartQuery = z.output<typeof partQuerySchema>

/** In what form a session leaves; `vac` is the record of the IETF’s draft, `raw` its files as they lie. */
export const EXPORT_FORMATS = ['markdown', 'html', 'json', 'jsonl', 'vac', 'raw'] as const
/** One of them. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What is redacted unless somebody says otherwise: not what other programs read on. */
export function isRedactedByDefault(format: ExportFormat): boolean {
  return format !== 'json' && format !== 'jsonl' && format !== 'raw'
}

/** How a session leaves. `keep`: ids of changes and their kinds that a reviewer switched off, with commas between; `tz`: whose clocks the document and Markdown show. */
export const exportQuerySchema = z.object({
  format: z.enum(EXPORT_FORMATS).default('markdown'),
  depth: z.enum(DEPTHS).default('all'),
  redact: z.enum(['on', 'off']).optional(),
  keep: z.string().max(6000).optional(),
  tz: zoneField.optional(),
})
export type ExportQuery = z.output<typeof exportQuerySchema>

/** Of which export the changes are listed. */
export const exportReviewQuerySchema = exportQuerySchema.omit({ redact: true, keep: true, tz: true })
export type ExportReviewQuery = z.output<typeof exportReviewQuerySchema>

const changeExampleSchema = z.object({
  /** To be named in `keep`. */
  id: z.string(),
  /** What it is, in words: "GitHub token". */
  name: z.string(),
  /** What stands there, and what is put in its place. */
  value: z.string(),
  replacement: z.string(),
  /** Up to 40 characters on both sides of the first place. */
  before: z.string(),
  after: z.string(),
  /** The message of the first place; null: title or place of the session. */
  messageKey: z.string().nullable(),
  /** So often this very text is replaced. */
  count: z.number(),
})
/** One text that is replaced, with its surroundings. */
export type ChangeExample = z.infer<typeof changeExampleSchema>

/** What is taken out of a session before it leaves. `leftOut`: what could not be examined, or leaves by its name only. */
export const exportReviewSchema = answer({
  changes: z.array(
    z.object({
      kind: z.enum(['secret', 'home', 'user', 'host', 'email']),
      count: z.number(),
      /** Each text that is replaced, once; at most 500 of a kind. */
      examples: z.array(changeExampleSchema),
    }),
  ),
  leftOut: z.array(z.object({ what: z.string(), count: z.number() })),
})
export type ExportReview = z.infer<typeof exportReviewSchema>

/** What `export --json` prints: what was written. `sessionKey`: null where one file holds several sessions. */
export const exportedFilesSchema = answer({
  files: z.array(z.object({ sessionKey: z.string().nullable(), path: z.string(), sizeBytes: z.number() })),
})
