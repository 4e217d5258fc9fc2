import type { ByteRange } from './bytes.ts'

/** May put something smaller in the place of an item of an opened list, given the names of the fields that lead to it. */
export type OnItem = (names: readonly string[], item: unknown, range: ByteRange) => unknown

/**
 * May parse an object in a list of the root, which is then not given to `OnItem`. undefined: it is parsed as any value.
 * The bytes are only lent for the call.
 */
export type ReadRow = (names: readonly string[], bytes: Uint8Array, range: ByteRange) => unknown

/** What a stream of JSON opens, and what it holds at most. */
export interface JsonStreamLimits {
  /** Larger lists and objects are opened: each of their values is parsed alone. */
  openBytes: number
  /** The same for objects that somebody else reads (`ReadRow`). */
  rowBytes: number
  /** Longer strings are decoded while they arrive, so that their bytes and their text are not held at once. */
  longTextBytes: number
  /** Of longer texts the beginning is held. */
  maxTextBytes: number
  /** The same for the bytes of pictures and films, which nobody searches. */
  maxMediaBytes: number
  /** Of what is parsed in one piece and is larger nothing is held: very long names and numbers, and what lies very deep. */
  maxLeafBytes: number
  /** Of larger objects and lists the first fields or items are held, and of the others only the end is looked for. */
  maxEntries: number
  /** The same for lists of messages. */
  maxRecords: number
  /** The same for all lists and objects of one record together, as they can lie in each other. */
  maxValues: number
}

const MEGABYTE = 1024 * 1024

/**
 * Far beyond what was ever seen: the longest line of a published session has 3 MB. The CLI takes in pictures and films of
 * 20 MB, which are 27 MB here. A text is held several times on its way to a page, and a pattern takes a third of a second
 * for each MB. A field or item costs ten times its bytes in memory: ten million filled 1.3 GB, and to read them took a minute.
 */
export const JSON_STREAM_LIMITS: JsonStreamLimits = {
  openBytes: 64 * 1024,
  rowBytes: 8 * MEGABYTE,
  longTextBytes: 512 * 1024,
  maxTextBytes: 4 * MEGABYTE,
  maxMediaBytes: 32 * MEGABYTE,
  maxLeafBytes: 8 * MEGABYTE,
  maxEntries: 100_000,
  maxRecords: 1_000_000,
  maxValues: 1_000_000,
}
