import type { LiveEvent } from '@gemini-dash/api'
import type { IndexGroup, SessionIndex, SessionRecord } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'
import type { Catalog } from '../catalog/catalog.ts'
import type { UnreadBook } from '../catalog/unread-book.ts'

export interface IndexingOptions {
  catalog: Catalog
  /** Opens the index, the first time that it is called. */
  openIndex: () => Promise<SessionIndex>
  emit: (event: LiveEvent) => void
  onProgress: (filesDone: number, filesTotal: number) => void
  /** Called with the rows of each group that was read, or is known from an earlier run. */
  noteRows: (records: readonly SessionRecord[]) => void
  /** Called when everything is read. true: something of it is read again now. */
  review: () => boolean
  /** Groups that cannot be read just now are put in here. */
  unread: UnreadBook
  /** Files of a group that lie where we cannot look just now; undefined: none. */
  unlistedOf: (group: IndexGroup) => UnreadFile[] | undefined
}

/** `rows`: only what the rows of the catalog still lack. `text`: everything that a search looks at as well. */
export type IndexingScope = 'rows' | 'text'
