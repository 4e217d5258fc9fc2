import { z } from 'zod'

/** What kind of thing could not be read. */
export type ParseIssueCode = z.infer<typeof parseIssueCodeSchema>
export const parseIssueCodeSchema = z.enum([
  'empty-file', // zero bytes or only blanks
  'not-a-session', // something else than a Gemini CLI session: `args.kind` says what (`FileKind`)
  'truncated-json', // a JSON document that ends in the middle, behind a whole message
  'broken-json', // a JSON document that continues as JSON does not, behind a whole message
  'text-behind', // something else follows a whole JSON document
  'nothing-whole', // a JSON document that breaks off before its first whole message
  'utf-16', // text that is not UTF-8: the CLI cannot read it
  'spread-record', // records of a log over several lines: the CLI cannot read them
  'torn-tail', // the last line of a log is incomplete: the CLI may still be writing
  'bad-line', // a line in the middle of a log that is not JSON, or not an object
  'glued-line', // a whole record behind a torn one on the same line; the torn one is lost
  'odd-prompt-log', // a `logs.json` that the CLI cannot read, with prompts that can be read
  'no-metadata', // a log without its metadata line
  'unreadable', // the operating system refused (EACCES, EIO, ...)
  'too-deep', // nesting beyond the guard; kept as text
  'too-large', // beyond a stated limit; the raw file still holds it
  'unknown-record', // a `$...` record of an unknown kind
  'unknown-type', // a message type that no known version writes
  'bad-field', // a field of a type that no known version writes
  'outside-home', // a symlink that leaves the home
  'not-a-file', // a folder, FIFO or device named like a session
  'broken-link', // a symlink that leads to nothing
  'newer-format', // a database of a later version of Antigravity CLI than is known
  'damaged-database', // pages or rows of a database do not hold what they promise
  'encrypted', // a conversation of Antigravity CLI before 1.0.4
  'from-transcript', // no database of the conversation can be read; its transcript may be incomplete
  'head-missing', // a transcript that begins behind the first step
  'shortened', // texts that only the short transcript holds, cut when they were written
  'bad-usage', // tokens that contradict each other: left out
  'bad-row', // rows of a database that are no steps
  'left-out', // named like a session, a prompt log or a project, but nothing that can be read as one
])

/** What could not be read, as data. Sentences are made from `code` and `args` by whoever shows it. */
export type ParseIssue = z.infer<typeof parseIssueSchema>
export const parseIssueSchema = z.strictObject({
  code: parseIssueCodeSchema,
  /** `line 12`, `byte 10240`, `messages[3].tokens`; '' for the whole file. */
  at: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Set where the issue stands for many more of its kind in the file, beyond those named one by one. */
  count: z.number().optional(),
})

/** Something no known CLI version writes, seen in a file: format drift. */
export interface DriftNote {
  where: DriftPlace
  /** Name of the unknown field, kind or value: at most 64 characters, nothing unprintable. */
  name: string
  /** Where it was met first, as in `ParseIssue`. */
  at: string
  /** In how many places of the file. */
  count: number
}

/** Every `where` of a drift note, and what its names are. */
export const driftPlaces = {
  record: 'a line of a log of an unknown kind',
  metadata: 'a field of a session’s metadata',
  'metadata.kind': 'a kind of session',
  $set: 'a field that a log sets later',
  $patch: 'a field of a patch',
  message: 'a field of a message',
  'message.type': 'a type of message',
  part: 'a kind of content, or a field of one',
  thought: 'a field of a thought',
  tokens: 'a token count',
  toolCall: 'a field of a tool call',
  'toolCall.status': 'a status of a tool call',
  resultDisplay: 'what a tool showed, by the names of its fields',
  'resultDisplay.diff': 'a field of a file diff',
  'resultDisplay.todos': 'a field of a to-do list',
  'resultDisplay.subagent': 'a field of a sub-agent’s progress',
  'resultDisplay.search': 'a field of search results',
  'resultDisplay.list': 'a field of a list of files',
  'resultDisplay.text': 'a field of a summary',
  step: 'a type of step of Antigravity CLI, or a field of one',
} as const
/** Where in the format something unknown was seen. */
export type DriftPlace = keyof typeof driftPlaces

/** Stands for all names beyond the hundredth of a file. */
export const OTHER_NAMES = '(others)'

/** A finding together with the file it is in, relative to its home: a session can have several. */
export type InFile<Finding> = Finding & { file: string }

/** List price in USD. `usd` is null only if nothing could be priced; the calls without a price are counted, never 0. */
export type Cost = z.infer<typeof costSchema>
export const costSchema = z.strictObject({
  usd: z.number().nullable(),
  unpricedCalls: z.number(),
})

/** Nothing was priced yet: the start of a sum. */
export const NO_COST: Cost = Object.freeze({ usd: null, unpricedCalls: 0 })

/**
 * Tokens of one model call or a sum of calls, as the Gemini API counts them.
 * `cached` is part of `input`; `thoughts` are billed as output; `total` is the API's own figure
 * (normally input + output + thoughts + tool). Fields are 0 where nothing is recorded.
 */
export type TokenUsage = z.infer<typeof tokenUsageSchema>
export const tokenUsageSchema = z.strictObject({
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  thoughts: z.number(),
  tool: z.number(),
  total: z.number(),
  /** Model messages counted in this figure (1 for a single message; copies never count). */
  calls: z.number(),
  /** Those of `calls` for which no tokens > 0 were ever recorded. */
  callsWithoutTokens: z.number(),
  /**
   * Of one call: how many of its recorded figures have a name or a form that is not known, so that they count nowhere. Left out
   * where there are none, and of sums: the call counts in `unpricedCalls`.
   */
  unknownFigures: z.number().optional(),
})

/** No tokens and no calls: the start of a sum. */
export const NO_USAGE: TokenUsage = Object.freeze({
  input: 0,
  output: 0,
  cached: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
  calls: 0,
  callsWithoutTokens: 0,
})

/** What a file is that is no session, though it is among sessions or named like one. */
export type FileKind = z.infer<typeof fileKindSchema>
export const fileKindSchema = z.enum([
  'saved-chat',
  'restore-point',
  'prompt-log',
  'gemini-dash-export',
  'conversation-record',
  'stream-json',
  'json-output',
  'activity-log',
  'telemetry',
  'claude-code',
  'codex',
  'qwen-code',
  'chat-of-another-tool',
  'html',
  'markdown',
  'git-lfs-pointer',
  'compressed',
  'database',
  'binary',
  'zeros',
  'commented-json',
  'json-value',
  'json-list',
  'json-object',
  'json-lines',
  'text',
])

interface KindOfFile {
  /** What it is, in a sentence. */
  reason: string
  /** What to do about it, in a sentence or two. */
  advice: string
  /** Somebody may miss its content. */
  needsAttention: boolean
  /** Nothing of Gemini CLI's own sessions looks like it. */
  isCertain: boolean
  /** Its rows can look like messages of a session. */
  mayHoldMessages?: boolean
}

const OTHER_TOOL = {
  advice: 'It can stay: nothing that Gemini CLI recorded is in it.',
  needsAttention: false,
  isCertain: true,
}

/** Each kind of file with its own sentence, and what to do; docs/problems.md has the same. */
export const FILE_KINDS: Readonly<Record<FileKind, KindOfFile>> = {
  'saved-chat': {
    reason: 'This is a saved chat, as /chat save and /chat share write it.',
    advice:
      'To list it among the saved chats, copy it into the folder of its project, beside chats/, as checkpoint-NAME.json.',
    needsAttention: true,
    isCertain: true,
  },
  'restore-point': {
    reason: 'This is a restore point, which Gemini CLI writes before a tool changes files.',
    advice: 'It belongs into the folder checkpoints/ of its project. The session has a file of its own.',
    needsAttention: false,
    isCertain: true,
  },
  'prompt-log': {
    reason: 'This is a prompt log: what was typed, without answers.',
    advice: 'It is read where it is called logs.json and is in the folder of its project, beside chats/.',
    needsAttention: true,
    isCertain: true,
  },
  'gemini-dash-export': {
    reason: 'This is a session that gemini-dash exported.',
    advice: 'An export cannot be read back. Export with --format raw to get the file of Gemini CLI itself.',
    needsAttention: true,
    isCertain: true,
    mayHoldMessages: true,
  },
  'conversation-record': {
    reason: 'This is a record of a conversation for other programs (verifiable agent conversations).',
    advice:
      'A record cannot be read back. Where gemini-dash wrote it, --format raw exports the file of Gemini CLI itself.',
    needsAttention: true,
    isCertain: true,
    mayHoldMessages: true,
  },
  'stream-json': {
    reason: 'This is output of gemini --output-format stream-json.',
    advice:
      'Gemini CLI records such a run in a session file of its own; this one can be opened in an editor.',
    needsAttention: true,
    isCertain: true,
  },
  'json-output': {
    reason: 'This is output of gemini --output-format json: one answer and its statistics.',
    advice:
      'Gemini CLI records such a run in a session file of its own; this one can be opened in an editor.',
    needsAttention: true,
    isCertain: true,
  },
  'activity-log': {
    reason: 'This is an activity log of Gemini CLI: console lines and network requests.',
    advice: 'It can stay: the session has a file of its own.',
    needsAttention: false,
    isCertain: true,
  },
  telemetry: {
    reason:
      'This is telemetry (OpenTelemetry), which Gemini CLI writes where its settings name a file for it.',
    advice: 'It can stay: the sessions have files of their own.',
    needsAttention: false,
    isCertain: true,
  },
  'claude-code': { reason: 'This is a log of Claude Code.', ...OTHER_TOOL },
  codex: { reason: 'This is a log of Codex.', ...OTHER_TOOL },
  'qwen-code': { reason: 'This is a log of Qwen Code.', ...OTHER_TOOL },
  'chat-of-another-tool': {
    reason:
      'This is a conversation that another program wrote: it has roles and texts, but nothing of Gemini CLI.',
    ...OTHER_TOOL,
  },
  html: {
    reason: 'This is an HTML page, for example an exported conversation.',
    advice: 'A browser opens it.',
    needsAttention: false,
    isCertain: true,
  },
  markdown: {
    reason: 'This is a Markdown text, for example an exported conversation.',
    advice: 'An editor opens it.',
    needsAttention: false,
    isCertain: true,
  },
  'git-lfs-pointer': {
    reason: 'This is a Git LFS pointer: the session itself was not downloaded.',
    advice: 'Run git lfs pull in that repository.',
    needsAttention: true,
    isCertain: true,
  },
  compressed: {
    reason: 'This is compressed, or an archive.',
    advice: 'Unpack it, and put what is in it in its place.',
    needsAttention: true,
    isCertain: true,
  },
  database: {
    reason: 'This is an SQLite database.',
    advice: 'Gemini CLI writes none; it can stay.',
    needsAttention: true,
    isCertain: true,
  },
  binary: {
    reason: 'This is binary data, not text.',
    advice: 'If it was a session, bring it back from a backup.',
    needsAttention: true,
    isCertain: false,
  },
  zeros: {
    reason: 'The file contains only zero bytes, as a power loss leaves it.',
    advice: 'Its content is lost, unless a backup has it.',
    needsAttention: true,
    isCertain: false,
  },
  'commented-json': {
    reason: 'This is JSON with comments, as documentation prints it; Gemini CLI writes none.',
    advice: 'It can stay. To have it read, remove the comments.',
    needsAttention: false,
    isCertain: true,
    mayHoldMessages: true,
  },
  'json-value': {
    reason: 'This is a single JSON value, such as null, and no session.',
    advice: 'If it was a session, something wrote over it: bring it back from a backup.',
    needsAttention: true,
    isCertain: false,
  },
  'json-list': {
    reason: 'This is a JSON list, and not of turns of a chat.',
    advice: 'If another program put it here, it can stay.',
    needsAttention: true,
    isCertain: false,
  },
  'json-object': {
    reason: 'This is JSON without the id and the messages that a session has.',
    advice: 'If another program put it here, it can stay.',
    needsAttention: true,
    isCertain: false,
  },
  'json-lines': {
    reason: 'These are lines of JSON without the records that a session has.',
    advice: 'If another program put it here, it can stay.',
    needsAttention: true,
    isCertain: false,
  },
  text: {
    reason: 'This is text, not JSON.',
    advice: 'If it was a session, bring it back from a backup; otherwise it can stay.',
    needsAttention: true,
    isCertain: false,
  },
}

/** The kind that an issue names (`args.kind`); null where it names none. */
export function kindOfIssue({ args }: { args: Readonly<Record<string, string | number>> }): FileKind | null {
  return fileKindSchema.safeParse(args.kind).data ?? null
}
