import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  /** With `/` between folders. */
  name: string
  time: Date
  pieces: () => AsyncIterable<string | Uint8Array>
}

/** A zip as it is written: an entry is read when its turn comes, and nothing is held as a whole. */
export async function* zipPieces(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const fail = (error: unknown) => {
    ;(zip.outputStream as Readable).destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', fail)
  for await (const { name, time, pieces } of entries) {
    zip.addReadStreamLazy(name, { mtime: time }, (give) => {
      const stream = Readable.from(pieces(), { objectMode: false })
      stream.on('error', fail)
      give(null, stream)
    })
  }
  zip.end()
  yield* zip.outputStream as AsyncIterable<Uint8Array>
}
