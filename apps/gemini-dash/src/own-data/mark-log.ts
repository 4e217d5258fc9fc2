import { markChangeSchema } from '@gemini-dash/api'
import { z } from 'zod'
import { type LineLog, LogFile } from './line-log.ts'
import type { TellProblem } from './own-file.ts'

/** One change and its time: the latest value of a field wins, whatever the order of the lines. */
export const markEntrySchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  session: z.string().min(1),
  /** A message of the session; omitted if the entry is about the session itself. */
  message: z.string().optional(),
  ...markChangeSchema.shape,
})
export type MarkEntry = z.infer<typeof markEntrySchema>

/** Storage for stars, notes and tags: a file, or memory. */
export type MarkLog = LineLog<MarkEntry>

/** For `--no-cache`: nothing outlives the process. */
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

/** `marks.jsonl` of the data folder: one line per change. */
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
