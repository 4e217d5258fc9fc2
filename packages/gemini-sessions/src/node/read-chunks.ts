import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 1024 * 1024

/**
 * Reads from `start` up to `end`, or to where the file ends by now, through one small buffer; the bytes are only lent
 * for the call. What is appended meanwhile is left for the next reading, so that a busy writer cannot keep us here.
 *
 * @returns how far it came
 */
export async function readChunks(
  handle: FileHandle,
  start: number,
  end: number,
  onChunk: (bytes: Buffer) => void,
): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(end - start, 0)))
  let position = start
  while (position < end) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - position), position)
    if (bytesRead === 0) break
    onChunk(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
  return position
}
