import { readSync } from 'node:fs'
import { type GiveWay, TimeSlice } from './time-slice.ts'

const CHUNK_BYTES = 1024 * 1024

/**
 * Reads from `start` up to `end`, or to where the file ends by now, through one small buffer; the bytes are only lent
 * for the call. What is appended meanwhile is left for the next reading, so that a busy writer cannot keep us here.
 * A chunk takes longer to parse than to read, so waiting for another thread to read it would only cost more.
 *
 * @param file a descriptor
 * @returns how far it came
 */
export async function readChunks(
  file: number,
  start: number,
  end: number,
  onChunk: (bytes: Buffer) => void,
  giveWay?: GiveWay,
): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(end - start, 0)))
  const slice = new TimeSlice(giveWay)
  let position = start
  while (position < end) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, end - position), position)
    if (length === 0) break
    onChunk(buffer.subarray(0, length))
    position += length
    if (slice.isOver()) await slice.next()
  }
  return position
}
