import { isRawObject } from '../../raw/raw-object.ts'
import { parseLine } from '../parse-line.ts'
import { StreamedObject } from '../streamed-object.ts'
import type { TextPlace } from './large-texts.ts'

/** Larger rows are parsed value by value, as they were when the file was read. */
const LARGE_ROW_BYTES = 1024 * 1024

/** What these bytes of a file hold at each place in them; undefined where they are not what they were. */
export function findValues(bytes: Uint8Array, places: readonly TextPlace[]): unknown[] {
  const row = parseRow(bytes)
  return places.map(({ path, length }) => {
    const value = path.reduce<unknown>(step, row)
    const isSame = (typeof value === 'string' || Array.isArray(value)) && value.length === length
    return isSame ? value : undefined
  })
}

function parseRow(bytes: Uint8Array): unknown {
  if (bytes.length <= LARGE_ROW_BYTES) return parseLine(bytes).row
  const row = new StreamedObject()
  row.append(bytes)
  return row.parsed.row
}

function step(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isRawObject(value) ? value[name] : undefined
}
