import type { RawObject } from '../../raw/raw-object.ts'
import { parseLine } from './parse-line.ts'
import { StreamedObject } from './streamed-object.ts'

/** Larger rows are parsed value by value, as they were when the file was read. */
const LARGE_ROW_BYTES = 1024 * 1024

/** A record that was read before; null where it is none. */
export function parseRow(bytes: Uint8Array): RawObject | null {
  if (bytes.length <= LARGE_ROW_BYTES) return parseLine(bytes).row
  const row = new StreamedObject()
  row.append(bytes)
  return row.parsed.row
}
