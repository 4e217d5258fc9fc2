import { isRawObject } from '../../raw/raw-object.ts'
import { decodeText } from '../json/decode-text.ts'
import type { ByteRange } from '../json/json-stream.ts'
import { parseLine } from '../parse-line.ts'
import { StreamedObject } from '../streamed-object.ts'
import type { TextPlace } from './large-texts.ts'

/** Larger rows are parsed value by value, as they were when the file was read. */
const LARGE_ROW_BYTES = 1024 * 1024

/** What these bytes of a file hold at each place in them; undefined where they are not what they were. */
export function findValues(bytes: Uint8Array, places: readonly TextPlace[]): unknown[] {
  let row: unknown
  return places.map((place) => {
    if ('at' in place) return readString(bytes, place.at)
    row ??= parseRow(bytes)
    const value = place.path.reduce<unknown>(step, row)
    const isSame = (typeof value === 'string' || Array.isArray(value)) && value.length === place.length
    return isSame ? value : undefined
  })
}

function readString(bytes: Uint8Array, { start, end }: ByteRange): unknown {
  try {
    const value: unknown = JSON.parse(decodeText(bytes.subarray(start, end)))
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
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
