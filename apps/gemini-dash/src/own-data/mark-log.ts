import { markChangeSchema } from '@gemini-dash/api'
import { z } from 'zod'
import { type LineLog, LogFile } from './line-log.ts'
import type { TellProblem } from './own-file.ts'

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

/** For `--no-cache`: nothing outlives the run. */
export function createMemoryMarkLog(): MarkLog {
  let fresh: MarkEntry[] = []
  return {
    readOn: () => ({ entries: fresh.splice(0), isAnew: false }),
    append: (entries) => {
      fresh = [...fresh, ...entries]
    },
    drop: (sessions) => {
      fresh = fresh.filter(({ session }) => !sessions.has(session))
    },
  }
}

/** `marks.jsonl` of the data folder: a line for each thing that was said. */
export function openMarkFile(folder: string, tell: TellProblem): MarkLog {
  return new LogFile({
    folder,
    name: 'marks',
    entry: markEntrySchema,
    keysOf: ({ session }) => [session],
    what: 'Your stars, notes, tags and titles',
    tell,
  })
}
