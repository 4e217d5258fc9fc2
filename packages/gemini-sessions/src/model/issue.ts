import { z } from 'zod'

/** What could not be read. */
export type ParseIssueCode = z.infer<typeof parseIssueCodeSchema>
export const parseIssueCodeSchema = z.enum([
  'empty-file', // zero bytes or only whitespace
  'not-a-session', // not a Gemini CLI session: `args.kind` is its type (`FileKind`)
  'truncated-json', // a JSON document that is truncated after a whole message
  'broken-json', // a JSON document with invalid JSON after a whole message
  'text-behind', // a whole JSON document followed by something else
  'nothing-whole', // a JSON document that is cut before its first whole message
  'utf-16', // text that is not UTF-8: the CLI cannot read it
  'spread-record', // log records that span several lines: the CLI cannot read them
  'torn-tail', // the last line of a log is incomplete: the CLI may still be writing
  'bad-line', // a line in the middle of a log that is not JSON, or not an object
  'glued-line', // a whole record after a torn one on the same line; the torn one is lost
  'odd-prompt-log', // a `logs.json` that the CLI cannot read, with readable prompts
  'no-metadata', // a log without its metadata line
  'unreadable', // a system error (EACCES, EIO, ...)
  'too-deep', // nesting beyond the limit; kept as text
  'too-large', // beyond a stated limit; the raw file still has it
  'unknown-record', // a `$...` record of an unknown kind
  'unknown-type', // a message type that no known version writes
  'bad-field', // a field of a type that no known version writes
  'outside-home', // a symlink that leaves the Gemini folder
  'not-a-file', // a folder, FIFO or device named like a session
  'broken-link', // a broken symlink
  'newer-format', // a database of a later, unknown version of Antigravity CLI
  'damaged-database', // inconsistent pages or rows of a database
  'encrypted', // a conversation of Antigravity CLI before 1.0.4
  'from-transcript', // no database of the conversation can be read; its transcript may be incomplete
  'head-missing', // a transcript that begins after the first step
  'shortened', // texts found only in the short transcript, which were cut when written
  'bad-usage', // contradictory token counts: left out
  'bad-row', // rows of a database that are not steps
  'left-out', // named like a session, a prompt log or a project, but not readable as one
])

/** What could not be read, as data. Sentences are made from `code` and `args` for display. */
export type ParseIssue = z.infer<typeof parseIssueSchema>
export const parseIssueSchema = z.strictObject({
  code: parseIssueCodeSchema,
  /** `line 12`, `byte 10240`, `messages[3].tokens`; '' for the whole file. */
  at: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Set if the issue represents many more of its kind in the file, beyond those listed individually. */
  count: z.number().optional(),
})

/** Something no known CLI version writes, seen in a file: format drift. */
export interface DriftNote {
  where: DriftPlace
  /** Name of the unknown field, type or value: at most 64 characters, all printable. */
  name: string
  /** The first place, as in `ParseIssue`. */
  at: string
  /** Number of places in the file. */
  count: number
}

/** Every `where` of a drift note, with the meaning of its names. */
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
/** Where in the format something unknown was found. */
export type DriftPlace = keyof typeof driftPlaces

/** Replaces all names beyond the first hundred in a file. */
export const OTHER_NAMES = '(others)'

/** A finding with its file, relative to the Gemini folder: a session can have several. */
export type InFile<Finding> = Finding & { file: string }

/** List price in USD. `usd` is null only if nothing could be priced; calls without a price are counted, never as 0. */
export type Cost = z.infer<typeof costSchema>
export const costSchema = z.strictObject({
  usd: z.number().nullable(),
  unpricedCalls: z.number(),
})

/** The initial value of a sum of costs. */
export const NO_COST: Cost = Object.freeze({ usd: null, unpricedCalls: 0 })

/**
 * Tokens of one model call or a sum of calls, as counted by the Gemini API.
 * `cached` is part of `input`; `thoughts` are billed as output; `total` is the API's own figure (normally input + output + thoughts +
 * tool). Fields are 0 if not recorded.
 */
export type TokenUsage = z.infer<typeof tokenUsageSchema>
export const tokenUsageSchema = z.strictObject({
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  thoughts: z.number(),
  tool: z.number(),
  total: z.number(),
  /** Model messages included (1 for a single message; copies never count). */
  calls: z.number(),
  /** Those of `calls` without any recorded tokens > 0. */
  callsWithoutTokens: z.number(),
  /**
   * For one call: how many of its recorded figures have an unknown name or form, and so are not counted. Left out if none, and for sums:
   * the call counts in `unpricedCalls`.
   */
  unknownFigures: z.number().optional(),
})

/** The initial value of a sum of usage. */
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

/** The type of a file that is not a session, though it is among sessions or named like one. */
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
  /** Its content may be missed by the user. */
  needsAttention: boolean
  /** Gemini CLI's own sessions never look like it. */
  isCertain: boolean
  /** Its rows can look like messages of a session. */
  mayHoldMessages?: boolean
}

const OTHER_TOOL = {
  advice: 'It can stay: nothing that Gemini CLI recorded is in it.',
  needsAttention: false,
  isCertain: true,
}

/** Each type of file with its sentence, and what to do; docs/problems.md has the same. */
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

/** The file type in an issue (`args.kind`); null if none. */
export function kindOfIssue({ args }: { args: Readonly<Record<string, string | number>> }): FileKind | null {
  return fileKindSchema.safeParse(args.kind).data ?? null
}
