import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** How to assemble a file: SHA-256 and size of each chunk, in order. */
export type Recipe = Buffer

export interface RecipeEntry {
  /** SHA-256 as a string of 32 characters, one per byte: a map key. */
  hash: string
  sizeBytes: number
}

const HASH_BYTES = 32
export const ENTRY_BYTES = HASH_BYTES + 4

export function toRecipe(entries: readonly RecipeEntry[]): Recipe {
  const recipe = Buffer.alloc(entries.length * ENTRY_BYTES)
  entries.forEach(({ hash, sizeBytes }, place) => {
    recipe.write(hash, place * ENTRY_BYTES, 'latin1')
    recipe.writeUInt32LE(sizeBytes, place * ENTRY_BYTES + HASH_BYTES)
  })
  return recipe
}

export function readRecipe(recipe: Recipe): RecipeEntry[] {
  return Array.from({ length: recipe.length / ENTRY_BYTES }, (_, place) => {
    const start = place * ENTRY_BYTES
    return {
      hash: recipe.toString('latin1', start, start + HASH_BYTES),
      sizeBytes: recipe.readUInt32LE(start + HASH_BYTES),
    }
  })
}

/** Total size of all chunks. */
export function recipeBytes(recipe: Recipe): number {
  let sum = 0
  for (let end = ENTRY_BYTES; end <= recipe.length; end += ENTRY_BYTES) sum += recipe.readUInt32LE(end - 4)
  return sum
}

/** The encoding of a record's content, as in its head. */
export const CODECS = { raw: 0, brotli: 1, zstd: 2, notes: 3 } as const
type Codec = (typeof CODECS)[keyof typeof CODECS]

type Compress = (bytes: Uint8Array, options?: object) => Promise<Buffer>

/** Node has zstd since 22.15; the types of Node 20 lack it. */
const { zstdCompress, zstdDecompress } = zlib as unknown as Partial<
  Record<'zstdCompress' | 'zstdDecompress', (bytes: Uint8Array, done: () => void) => void>
>
const zstd = promisified(zstdCompress)
const unzstd = promisified(zstdDecompress)
const brotli = promisify(zlib.brotliCompress) as Compress
const unbrotli = promisify(zlib.brotliDecompress) as Compress

const BROTLI_OPTIONS = {
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 3,
    [zlib.constants.BROTLI_PARAM_LGWIN]: 18,
    [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
  },
}

/** Content written by a newer Node is not damaged. */
export class UnknownCodec extends Error {}

/** In Node's threads, two to four at a time. Content that does not get smaller is stored raw. */
export async function compress(bytes: Uint8Array): Promise<{ codec: Codec; stored: Uint8Array }> {
  const stored = zstd === null ? await brotli(bytes, BROTLI_OPTIONS) : await zstd(bytes)
  if (stored.length >= bytes.length) return { codec: CODECS.raw, stored: bytes }
  return { codec: zstd === null ? CODECS.brotli : CODECS.zstd, stored }
}

/** @throws `UnknownCodec`; or zlib's error, if the bytes are damaged */
export async function decompress(codec: number, stored: Uint8Array, rawBytes: number): Promise<Uint8Array> {
  const options = { maxOutputLength: Math.max(rawBytes, 1) }
  switch (codec) {
    case CODECS.raw:
      return stored
    case CODECS.brotli:
      return unbrotli(stored, options)
    case CODECS.zstd:
      if (unzstd === null)
        throw new UnknownCodec('a newer Node.js compressed it with zstd, which Node.js has since 22.15')
      return unzstd(stored, options)
    default:
      throw new UnknownCodec('it is compressed in a way that only a later version of gemini-dash knows')
  }
}

/** Whether this Node has the codec. */
export function canDecompress(codec: number): boolean {
  return codec === CODECS.raw || codec === CODECS.brotli || (codec === CODECS.zstd && unzstd !== null)
}

function promisified(work: unknown): Compress | null {
  return typeof work === 'function' ? (promisify(work as typeof zlib.gzip) as unknown as Compress) : null
}

/** Chunk boundaries depend only on content, so the chunks before and after a change stay the same. */
const MIN_CHUNK_BYTES = 8 * 1024
const USUAL_CHUNK_BYTES = 32 * 1024
export const MAX_CHUNK_BYTES = 128 * 1024

/**
 * Boundaries are rarer below the usual size and more frequent above it, which keeps sizes close to the usual one (FastCDC's normalization).
 */
const RARE_END = 0xffff_c000 | 0
const FREQUENT_END = 0xff80_0000 | 0

/**
 * End of the chunk that begins at `start`. `end`: end of the available bytes; a chunk that reaches it may continue if more bytes follow,
 * unless it has the maximum size.
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

/** A number for each byte value. They must never change: the same content would be split elsewhere, and stored again. */
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
