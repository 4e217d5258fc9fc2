import { closeSync, readSync } from 'node:fs'
import type { FoundFile } from './found-file.ts'
import { openNeighbour } from './open-neighbour.ts'

/** Text of the first (or, with a negative number, last) so many bytes of a listed file; null if it cannot be read. */
export function readPiece(found: FoundFile, bytes: number): string | null {
  const opened = openNeighbour(found)
  if (opened === null) return null
  const { descriptor, sizeBytes } = opened
  try {
    const length = Math.min(Math.abs(bytes), sizeBytes)
    const buffer = Buffer.alloc(length)
    const read = readSync(descriptor, buffer, 0, length, bytes < 0 ? sizeBytes - length : 0)
    // A character that the limit cuts in two is left out.
    return new TextDecoder().decode(buffer.subarray(0, read), { stream: true })
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
