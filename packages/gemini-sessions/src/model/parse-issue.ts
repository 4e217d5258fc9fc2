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
} as const
/** Where in the format something unknown was seen. */
export type DriftPlace = keyof typeof driftPlaces

/** Stands for all names beyond the hundredth of a file. */
export const OTHER_NAMES = '(others)'

/** A finding together with the file it is in, relative to its home: a session can have several. */
export type InFile<Finding> = Finding & { file: string }
