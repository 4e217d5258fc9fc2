import { type ByteRange, decodeText } from '../json/bytes.ts'
import type { TextPlace } from '../large-texts/large-texts.ts'
import { valueAt } from '../large-texts/value-at.ts'
import { parseRow } from './parse-row.ts'

/** What these bytes of a file hold at each place in them; undefined where they are not what they were. */
export function findValues(bytes: Uint8Array, places: readonly TextPlace[]): unknown[] {
  let row: unknown
  return places.map((place) => {
    if ('at' in place) return readString(bytes, place.at)
    row ??= parseRow(bytes)
    return valueAt(row, place)
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
