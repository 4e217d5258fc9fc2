import { readSync } from 'node:fs'

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 10

/** Where the records of a session file begin and end, found without parsing. */
export interface RecordOffsets {
  starts: Float64Array
  /** Exclusive. */
  ends: Float64Array
}

/** The lines of a log. */
export function lineOffsets(file: number, sizeBytes: number): RecordOffsets {
  const newlines = positionsOf(file, sizeBytes, Buffer.of(NEWLINE))
  return {
    starts: Float64Array.from([0, ...newlines.map((at) => at + 1)]),
    ends: Float64Array.from([...newlines, sizeBytes]),
  }
}

/**
 * The messages of a document as `JSON.stringify(…, null, 2)` writes it: a raw newline cannot stand within a string, so a
 * line that begins with four blanks and a brace is the edge of one.
 */
export function elementOffsets(file: number, sizeBytes: number): RecordOffsets {
  const starts = positionsOf(file, sizeBytes, Buffer.from('\n    {'))
  const ends = positionsOf(file, sizeBytes, Buffer.from('\n    }'))
  return {
    starts: Float64Array.from(starts, (at) => at + 1),
    ends: Float64Array.from(ends, (at) => at + '\n    }'.length),
  }
}

function positionsOf(file: number, sizeBytes: number, mark: Buffer): number[] {
  const positions: number[] = []
  const overlap = mark.length - 1
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, sizeBytes) + overlap)
  for (let offset = 0; offset < sizeBytes; offset += chunk.length - overlap) {
    const bytes = chunk.subarray(0, readSync(file, chunk, 0, chunk.length, offset))
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) positions.push(offset + at)
    if (bytes.length < chunk.length) break
  }
  return positions
}
