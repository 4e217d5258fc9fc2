import type { LiveEvent } from '@gemini-dash/api'
import type { MarkBook } from '../../own-data/marks/mark-book.ts'
import { Catalog } from './catalog.ts'

/** A catalog whose rows carry what a person said of their sessions. Each row that this changes is told of. */
export function markedCatalog(marks: MarkBook, emit: (event: LiveEvent) => void): Catalog {
  const catalog = new Catalog((row, earlierKeys) => marks.marked(row, earlierKeys))
  marks.onChange((keys) => {
    for (const sessionKey of catalog.noteMarked(keys)) emit({ kind: 'marked', sessionKey })
  })
  return catalog
}
