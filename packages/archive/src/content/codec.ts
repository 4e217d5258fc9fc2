import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** How the content of a record is written, as its head says. */
export const CODECS = { raw: 0, brotli: 1, zstd: 2, notes: 3 } as const
export type Codec = (typeof CODECS)[keyof typeof CODECS]

type Compress = (bytes: Uint8Array, options?: object) => Promise<Buffer>

/** Node has zstd since 22.15; types of Node 20 know nothing of it. */
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

/** What was written by a newer Node is not damaged. */
export class UnknownCodec extends Error {}

/** In Node's threads, two to four at a time. What does not become smaller stays as it is. */
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

/** Whether this Node has what it takes. */
export function canDecompress(codec: number): boolean {
  return codec === CODECS.raw || codec === CODECS.brotli || (codec === CODECS.zstd && unzstd !== null)
}

function promisified(work: unknown): Compress | null {
  return typeof work === 'function' ? (promisify(work as typeof zlib.gzip) as unknown as Compress) : null
}
