import type { LiveEvent } from '@gemini-dash/api'
import type { IndexedGroup, SessionIndex } from '@gemini-dash/session-index'
import type { GeminiHome, Scan } from 'gemini-sessions/node'
import type { KeyBook } from '../../own-data/key-book.ts'
import type { MarkBook } from '../../own-data/marks/mark-book.ts'
import type { PriceBook } from '../../own-data/price-file.ts'
import type { WordBook } from '../../own-data/word-book.ts'
import type { WarningBook } from '../catalog/warning-book.ts'
import type { KeptEnds } from '../remembered/head-book.ts'
import type { RememberedList } from '../remembered/remembered-list.ts'

/** What was kept of files that are not in their homes any more. */
export interface KeptFiles {
  /** Adds what is known to be missing. */
  addTo(scan: Scan): Scan
  /** The same, where it has to be found out first what is missing. */
  complete(scan: Scan): Promise<Scan>
  /** Whether more or less is known to be missing than was added last. */
  hasChanged(): boolean
}

export const NOTHING_KEPT: KeptFiles = {
  addTo: (scan) => scan,
  complete: async (scan) => scan,
  hasChanged: () => false,
}

export interface LibraryOptions {
  homes: GeminiHome[]
  kept: KeptFiles
  /** Opens the index, the first time that it is called. */
  openIndex: () => Promise<SessionIndex>
  /** What an earlier run knew, as far as a first list needs it. */
  rememberedList: () => RememberedList | null
  /** What an earlier run knew of each group. */
  remembered: () => Promise<Map<string, IndexedGroup>>
  /** Which files and folders an earlier run saw; null: nobody knows. */
  rememberedScan: () => Scan | null
  /** What the heads and ends of files told it that it had not read whole. */
  rememberedEnds: () => KeptEnds[]
  /** What the user says of projects. */
  words: WordBook
  /** What the user says of sessions. */
  marks: MarkBook
  /** Which session each key means. */
  keys: KeyBook
  /** What the user says of prices. */
  prices: PriceBook
  userHome: string
  /** Changes are followed, and what goes wrong on the way is told. */
  isWatching: boolean
  isDemo: boolean
  /** What is taken for now, in ms since 1970. */
  clock: () => number
  /** What the program goes on without. */
  warnings: WarningBook
  emit: (event: LiveEvent) => void
  onProgress: (filesDone: number, filesTotal: number) => void
}
