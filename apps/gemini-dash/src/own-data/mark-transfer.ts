import { type View, viewSchema } from '@gemini-dash/api'
import { z } from 'zod'
import { markEntrySchema } from './mark-log.ts'
import type { OwnMarks } from './open-marks.ts'

const HEAD = { marks: 'gemini-dash', version: 1 } as const
const headSchema = z.looseObject({ marks: z.literal(HEAD.marks), version: z.int() })
const transferSchema = z.looseObject({ entries: z.array(markEntrySchema), views: z.array(viewSchema) })

/** Everything the user marked and named, as one JSON text that another machine can import. */
export function writeMarks({ store, views }: OwnMarks): string {
  store.reload()
  return `${JSON.stringify({ ...HEAD, entries: store.entries(), views: views.read() }, null, 2)}\n`
}

/** @throws Error with the reason why the text is not a valid file */
export function takeInMarks(marks: OwnMarks, text: string): { entries: number; views: number } {
  return takeInContent(marks, parse(text))
}

/** The latest value wins; a view whose name is taken is left out. @throws Error with the reason why the content is invalid */
export function takeInContent(
  { store, views }: OwnMarks,
  content: unknown,
): { entries: number; views: number } {
  const head = headSchema.safeParse(content).data
  if (head === undefined) throw new Error('it was not written by "gemini-dash marks export"')
  if (head.version > HEAD.version) throw new Error('a later version of gemini-dash wrote it')
  const { data, error } = transferSchema.safeParse(content)
  if (data === undefined) throw new Error(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
  let fresh: View[] = []
  views.update((known) => {
    const names = new Set(known.map(({ name }) => name))
    fresh = data.views.filter(({ name }) => !names.has(name))
    return fresh.length === 0 ? known : [...known, ...fresh]
  })
  return { entries: store.takeIn(data.entries), views: fresh.length }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
}
