import { markChangeSchema } from '@gemini-dash/api'
import { z } from 'zod'
import { createMemoryLog, type LineLog, LineLogFile } from '../line-log.ts'
import type { TellDataProblem } from '../own-file.ts'

/** One thing that was said, and when: what was said last of a field holds, in whatever order the lines stand. */
export const markEntrySchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  session: z.string().min(1),
  /** Of one message of the session; without it, of the session. */
  message: z.string().optional(),
  ...markChangeSchema.shape,
})
export type MarkEntry = z.infer<typeof markEntrySchema>

/** Where marks are kept: a file, or memory alone. */
export type MarkLog = LineLog<MarkEntry>

const keysOf = ({ session }: MarkEntry) => [session]

/** For `--no-cache`: nothing outlives the run. */
export function createMemoryMarkLog(): MarkLog {
  return createMemoryLog(keysOf)
}

/** `marks.jsonl` of the data folder: a line for each thing that was said. */
export function openMarkFile(folder: string, tell: TellDataProblem): MarkLog {
  const what = 'Your stars, notes, tags and titles'
  return new LineLogFile({ folder, name: 'marks', entry: markEntrySchema, keysOf, what, tell })
}
