import { z } from 'zod'

export const parseIssueCodeSchema = z.enum([
  'empty-file', // zero bytes or only blanks
  'not-a-session', // readable JSON, but not a Gemini CLI session (other tools, Git LFS pointers)
  'truncated-json', // a pretty JSON file that ends in the middle
  'torn-tail', // the last line of a log is incomplete: the CLI may still be writing
  'bad-line', // a line in the middle of a log that is not JSON, or not an object
  'no-metadata', // a log without its metadata line
  'unreadable', // the operating system refused (EACCES, EIO, ...)
  'too-deep', // nesting beyond the guard; kept as text
  'too-large', // beyond a stated limit; the raw file still holds it
  'unknown-record', // a `$...` record of an unknown kind
  'unknown-type', // a message type that no known version writes
  'bad-field', // a field of a type that no known version writes
  'outside-home', // a symlink that leaves the home
  'not-a-file', // a folder, FIFO or device named like a session
])
export type ParseIssueCode = z.infer<typeof parseIssueCodeSchema>

/** What could not be read, as data. Sentences are made from `code` and `args` by whoever shows it. */
export const parseIssueSchema = z.strictObject({
  code: parseIssueCodeSchema,
  /** `line 12`, `byte 10240`, `messages[3].tokens`; '' for the whole file. */
  at: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type ParseIssue = z.infer<typeof parseIssueSchema>

/** Something no known CLI version writes, seen in a file: format drift. */
export interface DriftNote {
  /** Where in the format: `record`, `metadata`, `message`, `message.type`, `tokens`, `toolCall`, `toolCall.status`, `part`, `resultDisplay`. */
  where: string
  /** Name of the unknown field, kind or value. */
  name: string
  at: string
}
