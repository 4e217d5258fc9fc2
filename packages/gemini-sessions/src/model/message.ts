import { z } from 'zod'
import type { DriftNote, InFile, ParseIssue } from './issue.ts'
import {
  callFateSchema,
  type SessionFile,
  type SessionKind,
  type SessionProgram,
  type SessionSummary,
} from './session-summary.ts'
import { costSchema, tokenUsageSchema } from './usage.ts'

/** Marks a text that was shortened for the wire: its full size in bytes and the URL of the whole text. */
export type Cut = z.infer<typeof cutSchema>
const cutSchema = z.strictObject({
  sizeBytes: z.number(),
  href: z.string(),
  /** Set if even that is incomplete, because the text is too large to hold: its full size in the file, and the URL of the raw record. */
  raw: z.strictObject({ sizeBytes: z.number(), href: z.string() }).optional(),
})

const mediaFields = {
  mimeType: z.string(),
  /** base64 as stored; null if it is served by `href` or was only a reference. */
  data: z.string().nullable(),
  /** `fileData.fileUri` as stored. Never fetched. */
  uri: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  href: z.string().nullable(),
}

/** Displayed width and height of an image, in pixels. */
export type PixelSize = z.infer<typeof pixelSizeSchema>
const pixelSizeSchema = z.strictObject({ width: z.number(), height: z.number() })

/** One piece of a message's content. Thoughts, tool calls and tool results are not parts: they have their own fields. */
export type Part = z.infer<typeof partSchema>
export const partSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string(), cut: cutSchema.optional() }),
  z.strictObject({
    kind: z.literal('image'),
    ...mediaFields,
    pixelSize: pixelSizeSchema.nullable().optional(),
  }),
  z.strictObject({ kind: z.literal('audio'), ...mediaFields }),
  z.strictObject({ kind: z.literal('file'), ...mediaFields }),
  z.strictObject({
    kind: z.literal('code'),
    language: z.string().nullable(),
    code: z.string(),
    /** `codeExecutionResult`, if one follows the code. */
    outcome: z.string().nullable(),
    output: z.string().nullable(),
    cut: cutSchema.optional(),
  }),
  z.strictObject({ kind: z.literal('unknown'), json: z.unknown(), cut: cutSchema.optional() }),
])

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
  /** pending, in_progress, completed, cancelled, blocked; other strings are kept unchanged. */
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
 * A tool's result or display, normalized. `output` of a call is what the model got (from `result`),
 * `display` is what the CLI displayed (from `resultDisplay`).
 */
export type ToolOutput = z.infer<typeof toolOutputSchema>
export const toolOutputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string(), cut: cutSchema.optional() }),
  z.strictObject({ kind: z.literal('markdown'), text: z.string(), cut: cutSchema.optional() }),
  z.strictObject({
    kind: z.literal('diff'),
    fileName: z.string(),
    filePath: z.string().nullable(),
    /** Unified diff; '' if only the two contents are known. */
    fileDiff: z.string(),
    originalContent: z.string().nullable(),
    newContent: z.string().nullable(),
    linesAdded: z.number(),
    linesRemoved: z.number(),
    isNewFile: z.boolean(),
    /** true if the diff was rebuilt from the call's args because the version stored none (up to 0.24). */
    isRebuilt: z.boolean(),
    cut: cutSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('todos'),
    todos: z.array(todoSchema),
    /** The previous list; set on the wire if the session has one. */
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

/** One tool call with its result, joined from all records of it in the log. */
export type ToolCall = z.infer<typeof toolCallSchema>
export const toolCallSchema = z.strictObject({
  /** As stored; '' if the file has none. Opaque, five shapes seen. */
  id: z.string(),
  name: z.string(),
  displayName: z.string().nullable(),
  /** The call's description (`src/price.js`); null for the tool's manual text that versions up to 0.34 stored here. */
  description: z.string().nullable(),
  args: z.unknown(),
  /** Set if a text inside `args` was shortened for the wire. */
  cut: cutSchema.optional(),
  /** success, error, cancelled; any other string is kept; 'unanswered' if no result was recorded. */
  status: z.string(),
  /** When the call was recorded (not when it started). */
  timestamp: z.string().nullable(),
  /** Of a shell command, from the result text. */
  exitCode: z.number().nullable(),
  /** true for status `error` and for a shell command with a non-zero exit code, whatever its status. */
  failed: z.boolean(),
  /** What became of a failed call. Left out for other calls, for rewound ones, and until the whole session is read. */
  fate: callFateSchema.optional(),
  output: toolOutputSchema,
  display: toolOutputSchema.nullable(),
  /** Text and images returned in addition to the functionResponse. */
  extraParts: z.array(partSchema),
  /** sessionId of the sub-agent session started by this call, if the CLI recorded it. */
  agentId: z.string().nullable(),
  /** Key of that sub-agent's session, once it is found on disk. */
  agentKey: z.string().nullable(),
})

/** A thought as displayed by the CLI: subject, text, and time (ISO 8601 UTC; null if not recorded). */
export type Thought = z.infer<typeof thoughtSchema>
const thoughtSchema = z.strictObject({
  subject: z.string(),
  description: z.string(),
  timestamp: z.string().nullable(),
  cut: cutSchema.optional(),
})

/** Why a recorded message is not in the CLI's final state. */
export type Superseded = z.infer<typeof supersededSchema>
export const supersededSchema = z.enum(['rewound', 'compacted', 'aborted', 'replaced'])

/** The record type in the file; `unknown` if no known version writes it. */
export type MessageType = z.infer<typeof messageTypeSchema>
const messageTypeSchema = z.enum(['user', 'gemini', 'info', 'error', 'warning', 'unknown'])

/** Who actually made a message; `type: "user"` does not mean that the user typed it. */
export type Origin = z.infer<typeof originSchema>
const originSchema = z.enum(['human', 'model', 'tool-result', 'injected', 'cli'])

/** One stored record. Every message ever recorded is kept, once, including those the CLI has dropped since (`superseded`). */
export type Message = z.infer<typeof messageSchema>
export const messageSchema = z.strictObject({
  /** Unique in its session and stable: `id`, or `id~2`, `id~3` by order of record. */
  key: z.string(),
  /** As stored; '' if none. */
  id: z.string(),
  type: messageTypeSchema,
  origin: originSchema,
  /** ISO 8601 UTC, or null if the record has no valid one. */
  timestamp: z.string().nullable(),
  model: z.string().nullable(),
  /** The content. For a prompt: what the user typed, without injected context and expanded files. */
  content: z.array(partSchema),
  /** Expanded `@file` content and injected context of a prompt. `path` is '' for text that is not from a file. */
  attachments: z.array(
    z.strictObject({
      path: z.string(),
      text: z.string(),
      cut: cutSchema.optional(),
    }),
  ),
  thoughts: z.array(thoughtSchema),
  toolCalls: z.array(toolCallSchema),
  /** null if neither tokens > 0 nor unknown figures were ever recorded, on copies, and if another session counts them. */
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  superseded: supersededSchema.nullable(),
  /**
   * Key of the message that this one repeats under a new id, or of the record that counts if a document has its id several times (rule 4).
   */
  copyOf: z.string().nullable(),
  /** Key of the session in which this request was billed, if different: its tokens and cost count there. */
  billedIn: z.string().optional(),
  /** Set on messages of a sub-agent that an old version recorded in the parent's file. */
  agentKey: z.string().nullable(),
  /** Index into the session's segments. */
  segment: z.number(),
  /**
   * Location of the record that determines this message: file path relative to its Gemini folder, and line (1-based, JSONL) or index
   * (0-based, JSON).
   */
  source: z.strictObject({
    file: z.string(),
    line: z.number().optional(),
    index: z.number().optional(),
  }),
})

/** One prompt and everything that answers it. Turn 0 is everything before the first prompt. */
export type Turn = z.infer<typeof turnSchema>
export const turnSchema = z.strictObject({
  number: z.number(),
  /** Key of the first message of the turn. */
  messageKey: z.string(),
  /** Index of that message in the session's message list (0-based). */
  firstOffset: z.number(),
  messageCount: z.number(),
  /** First 200 characters of the prompt; '' for turn 0. */
  prompt: z.string(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  superseded: supersededSchema.nullable(),
  segment: z.number(),
  usage: tokenUsageSchema,
  cost: costSchema,
  toolCalls: z.number(),
  toolErrors: z.number(),
  /** Key of its first message with a failed call. */
  failedKey: z.string().nullable(),
  thoughts: z.number(),
  /** Set if its request failed and was not rewound: the reason, and the key of its notice, or null if none was recorded. */
  failure: z.strictObject({ text: z.string(), noticeKey: z.string().nullable() }).nullable(),
})

/** One bar of the per-message token chart: a model call with its tokens. */
export type CallPoint = z.infer<typeof callPointSchema>
export const callPointSchema = z.strictObject({
  messageKey: z.string(),
  offset: z.number(),
  turn: z.number(),
  timestamp: z.string().nullable(),
  model: z.string().nullable(),
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  superseded: supersededSchema.nullable(),
  /** A tool of this call failed. */
  failed: z.boolean(),
})

/** Where the conversation was split into files, or the context was compressed. */
export type Segment = z.infer<typeof segmentSchema>
export const segmentSchema = z.strictObject({
  index: z.number(),
  /** start: the first; compress: `/compress` started a new file; resume: only an older file has this part. */
  reason: z.enum(['start', 'compress', 'resume']),
  file: z.string(),
  firstOffset: z.number(),
  messages: z.number(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
})

/** A `/compress` within a session: context size before and after, from the calls around it. */
export type Compression = z.infer<typeof compressionSchema>
export const compressionSchema = z.strictObject({
  /** The first message after the compression. */
  messageKey: z.string(),
  offset: z.number(),
  timestamp: z.string().nullable(),
  inputBefore: z.number().nullable(),
  inputAfter: z.number().nullable(),
})

/** A file beside a session's own. Its content is requested by `id`. */
export type NeighbourFile = z.infer<typeof neighbourFileSchema>
const neighbourFileSchema = z.strictObject({
  id: z.string(),
  /** Absolute path of the Gemini folder, and path of the file relative to it; `/` on every system. */
  home: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  /** ISO 8601 UTC. */
  modifiedTime: z.string(),
})

/** session: it belongs to this one; project: it is in the project's folder, and its session is unknown. */
const scopeSchema = z.enum(['session', 'project'])

/** The whole output of a tool, which is cut or masked in the record (0.26+; `.output` files before). */
export type SavedOutput = z.infer<typeof savedOutputSchema>
const savedOutputSchema = z.strictObject({
  name: z.string(),
  /** null if its call in the session is unknown. */
  callId: z.string().nullable(),
  messageKey: z.string().nullable(),
  toolName: z.string().nullable(),
  /** null: the record refers to the file, but it no longer exists. */
  file: neighbourFileSchema.nullable(),
})

/** An image from the clipboard that a prompt refers to (0.27+). */
export type PastedImage = z.infer<typeof pastedImageSchema>
const pastedImageSchema = z.strictObject({
  name: z.string(),
  messageKey: z.string(),
  /** null: it no longer exists. */
  file: neighbourFileSchema.nullable(),
  /** Added by a server that reads the file. */
  pixelSize: pixelSizeSchema.nullable().optional(),
})

/** A plan written in plan mode (Markdown). */
export type Plan = z.infer<typeof planSchema>
const planSchema = z.strictObject({
  scope: scopeSchema,
  file: neighbourFileSchema,
  text: z.string(),
  /** `text` is only the beginning of the file. */
  isCut: z.boolean(),
})

/** A task of the CLI's tracker (0.32+). Unknown strings are kept unchanged. */
export type TrackerTask = z.infer<typeof trackerTaskSchema>
const trackerTaskSchema = z.strictObject({
  scope: scopeSchema,
  file: neighbourFileSchema,
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** epic, task, bug */
  type: z.string(),
  /** open, in_progress, blocked, closed */
  status: z.string(),
  parentId: z.string().nullable(),
  dependencies: z.array(z.string()),
})

/** The state of the project before an edit: a commit in the CLI's shadow repository, and the chat so far. */
export type RestorePoint = z.infer<typeof restorePointSchema>
const restorePointSchema = z.strictObject({
  scope: scopeSchema,
  file: neighbourFileSchema,
  /** Time, tool and file, from the file name. */
  time: z.string().nullable(),
  toolName: z.string().nullable(),
  targetName: z.string().nullable(),
  commit: z.string().nullable(),
})

/** What was typed in this session according to `logs.json`, but is not in its own file. */
export type TypedOnly = z.infer<typeof typedOnlySchema>
const typedOnlySchema = z.strictObject({
  text: z.string(),
  timestamp: z.string().nullable(),
  /** `/stats`, `?`: handled by the CLI itself and never recorded. */
  isCommand: z.boolean(),
})

/** Everything that the CLI keeps of a session outside its file. */
export type Neighbours = z.infer<typeof neighboursSchema>
export const neighboursSchema = z.strictObject({
  savedOutputs: z.array(savedOutputSchema),
  images: z.array(pastedImageSchema),
  plans: z.array(planSchema),
  tasks: z.array(trackerTaskSchema),
  restorePoints: z.array(restorePointSchema),
  typedOnly: z.array(typedOnlySchema),
  /** Other files in the session's own folder. */
  otherFiles: z.array(neighbourFileSchema),
  /** Number of files left out because there are too many. */
  leftOut: z.number(),
})

/** The keys of one session file. */
export interface FileKeys {
  /** Hash of the recorded id and start: its key unless another conversation has that key. */
  start: string
  /** Resolves to the session of the file. */
  file: string
  /** Of the file's session. */
  session: string
}

/** Requests of a session that are copies of those of another one, which counts them. */
export interface BilledElsewhere {
  sessionKey: string
  /** `requestId` */
  requests: string[]
}

/**
 * One conversation as the user sees it: copies, twins and stubs merged, compressed parts as segments. The result of stitching; summaries,
 * turns and charts are derived from it.
 */
export interface Session {
  key: string
  /** Keys of the session: its own, and one for each of its files. */
  ownKeys: string[]
  /** In the order of `files`; empty if the files are not session files. */
  fileKeys: FileKeys[]
  sessionId: string
  /** Left out: Gemini CLI. */
  source?: SessionProgram
  kind: SessionKind
  /** sessionId of the parent of a sub-agent; from the folder name or the shared id. */
  parentSessionId: string | null
  /** sessionId of the session it was forked from, if recorded. */
  forkedFrom?: string | null
  /** Keys of other conversations of the same run, within the same stitched group. */
  sameRunKeys: string[]
  projectHash: string | null
  /** Earliest recorded in its files; if none, from the file name. */
  startTime: string | null
  lastUpdated: string | null
  summary: string | null
  /** Its title, if recorded separately from its messages. */
  ownTitle?: Pick<SessionSummary, 'title' | 'titleSource'>
  directories: string[]
  /** All messages ever recorded, in display order (contract rule 2). */
  messages: Message[]
  /** Left out: all its requests count here. */
  billedElsewhere?: BilledElsewhere[]
  segments: Segment[]
  buried: boolean
  /** Keys of the messages that the page shows unfolded when `buried`; null otherwise. */
  drawnKeys: string[] | null
  /** Keys of the messages at which a later run of the CLI resumed, in order; not recorded before 0.39. */
  resumedKeys: string[]
  files: SessionFile[]
  issues: InFile<ParseIssue>[]
  drift: InFile<DriftNote>[]
}
