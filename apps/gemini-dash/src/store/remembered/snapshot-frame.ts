import { fstatSync, readSync } from 'node:fs'
import { CACHE_FORMAT } from '@gemini-dash/session-index'
import { openLine } from './sealed-line.ts'

/** Where a line lies in the file, in bytes. */
export type LinePlace = [offset: number, length: number]

/** The last line: where those stand that are no group's. */
export interface SnapshotEnd {
  /** Comes right behind the groups. */
  ends: LinePlace
  scan: LinePlace
  list: LinePlace
}

/** Of the rows, and of the lines after them. */
export const FIRST_LINE = JSON.stringify({ format: CACHE_FORMAT.files })

/** The last line is shorter. */
const LAST_LINE_BYTES = 200
const NEW_LINE = 0x0a

/** null: the file is not whole, or of another format. */
export function readEnd(descriptor: number): SnapshotEnd | null {
  const sizeBytes = fstatSync(descriptor).size
  const first = readFrameBytes(descriptor, 0, FIRST_LINE.length + 1).toString()
  if (first !== `${FIRST_LINE}\n`) return null
  const end = readFrameBytes(descriptor, Math.max(0, sizeBytes - LAST_LINE_BYTES), LAST_LINE_BYTES)
  try {
    return openLine(end.subarray(end.lastIndexOf(NEW_LINE, end.length - 2) + 1)) as SnapshotEnd
  } catch {
    return null
  }
}

/** One of the lines that are no group's; null as above, or where it is damaged. */
export function readEndLine(descriptor: number, name: keyof SnapshotEnd): unknown {
  const place = readEnd(descriptor)?.[name]
  if (place === undefined) return null
  try {
    return openLine(readFrameBytes(descriptor, ...place))
  } catch {
    return null
  }
}

export function readFrameBytes(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset))
}
