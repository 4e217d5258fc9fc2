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
