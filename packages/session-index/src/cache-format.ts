import { randomUUID } from 'node:crypto'
import type { DiscoveredFile } from 'gemini-sessions/node'

/** Defined by every build (`scripts/cache-format.ts`). */
declare const __CACHE_FORMAT__: string | undefined

/**
 * Data written in another format is never read, so that a fixed reader leaves no outdated answers: it changes with schemas, reader, prices,
 * index and store. Unbuilt sources trust nothing on disk.
 */
export const CACHE_FORMAT: string = typeof __CACHE_FORMAT__ === 'undefined' ? randomUUID() : __CACHE_FORMAT__

/** As a number that a database can store: 31 bits of it. */
export const DATABASE_FORMAT = Number.parseInt(CACHE_FORMAT.slice(0, 8), 16) & 0x7fff_ffff

/** Identifies the state of a file when it was read: any write, replacement, change of permissions or restored time changes it. */
export type FileStamp = [
  absolutePath: string,
  sizeBytes: number,
  mtimeNs: string,
  ctimeNs: string,
  inode: string,
]

export function stampOf({ absolutePath, sizeBytes, mtimeNs, ctimeNs, inode }: DiscoveredFile): FileStamp {
  return [absolutePath, sizeBytes, mtimeNs, ctimeNs, inode]
}

export function isUnchanged(stamp: FileStamp, now: DiscoveredFile): boolean {
  const stampNow = stampOf(now)
  return stamp.every((part, index) => part === stampNow[index])
}
