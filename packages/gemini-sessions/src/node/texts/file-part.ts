import { open } from 'node:fs/promises'
import type { ByteRange } from '../../parse/json/bytes.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'

/** Bytes of a file that are too many to be held. */
export interface FilePart extends ByteRange {
  absolutePath: string
}

/** They, piece by piece. */
export async function* streamFilePart({ absolutePath, start, end }: FilePart): AsyncGenerator<Uint8Array> {
  const handle = await open(absolutePath, READ_ONLY_FLAGS)
  try {
    yield* handle.createReadStream({ start, end: end - 1, autoClose: false })
  } finally {
    await handle.close()
  }
}
