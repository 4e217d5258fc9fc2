import { randomUUID } from 'node:crypto'

/** Put in by every build (`scripts/cache-format.ts`). */
declare const __CACHE_FORMAT__: CacheFormat | undefined

export interface CacheFormat {
  /** Of rows and text: changes with schemas, reader, prices and index. */
  index: string
  /** Of files beside the index, whose content the program makes of rows and sessions: changes with these, too. */
  files: string
}

/**
 * What was written under another format is never read, so that a mended reader leaves no old answers. Sources that run
 * without being built trust nothing that lies on disk.
 */
export const CACHE_FORMAT: CacheFormat =
  typeof __CACHE_FORMAT__ === 'undefined' ? { index: randomUUID(), files: randomUUID() } : __CACHE_FORMAT__

/** As a number that a database can carry: 31 bits of it. */
export const DATABASE_FORMAT = Number.parseInt(CACHE_FORMAT.index.slice(0, 8), 16) & 0x7fff_ffff
