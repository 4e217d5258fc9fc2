/** A chunk ends where its bytes say so, never where it was counted: what stands before or behind a change stays the same chunk. */
const MIN_CHUNK_BYTES = 8 * 1024
const USUAL_CHUNK_BYTES = 32 * 1024
export const MAX_CHUNK_BYTES = 128 * 1024

/** Before the usual size an end is rarer, behind it more frequent: sizes stay close to the usual one (FastCDC's normalisation). */
const RARE_END = 0xffff_c000 | 0
const FREQUENT_END = 0xff80_0000 | 0

/**
 * Where the chunk that begins at `start` ends. `end`: of the bytes that are there; a chunk that reaches it may go on, if
 * more bytes follow, unless it is as large as one can be.
 */
export function findChunkEnd(bytes: Uint8Array, start: number, end: number): number {
  const usual = Math.min(start + USUAL_CHUNK_BYTES, end)
  const last = Math.min(start + MAX_CHUNK_BYTES, end)
  let position = start + MIN_CHUNK_BYTES
  if (position >= last) return last
  let hash = 0
  for (; position < usual; position++) {
    hash = ((hash << 1) + (GEARS[bytes[position] as number] as number)) | 0
    if ((hash & RARE_END) === 0) return position + 1
  }
  for (; position < last; position++) {
    hash = ((hash << 1) + (GEARS[bytes[position] as number] as number)) | 0
    if ((hash & FREQUENT_END) === 0) return position + 1
  }
  return last
}

/** A number for each value of a byte. They must never change: the same content would be cut elsewhere, and stored again. */
const GEARS = makeGears()

function makeGears(): Int32Array {
  const gears = new Int32Array(256)
  let state = 0x6765_6d69
  for (let value = 0; value < 256; value++) {
    // mulberry32
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    gears[value] = (mixed ^ (mixed >>> 14)) | 0
  }
  return gears
}
