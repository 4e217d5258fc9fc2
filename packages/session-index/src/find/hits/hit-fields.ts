import type { SearchField } from '@gemini-dash/api'
import {
  ALL_FIELDS,
  fieldsOfBits,
  PLACE_SHIFT,
  type RowMasks,
  TELLING_SHIFT,
} from '../../evaluate/row-masks.ts'
import type { RowTable } from '../../rows/row-table.ts'

/** How many hits a row that was found is. */
export function hitCount(masks: RowMasks, table: RowTable, row: number): number {
  return COUNT_OF_BITS[hitBits(masks, table, row)] ?? 0
}

/** In which fields a row that was found is a hit. */
export function fieldsOfRow(masks: RowMasks, table: RowTable, row: number): SearchField[] {
  return fieldsOfBits(hitBits(masks, table, row))
}

/** Bits of these fields: where the words are; without any, what the filters are about, else the main field; of the places asked for. */
export function hitBits(masks: RowMasks, table: RowTable, row: number): number {
  const mask = masks[row] ?? 0
  if ((mask & ALL_FIELDS) !== 0) return mask & ALL_FIELDS
  const places = (mask >> PLACE_SHIFT) & ALL_FIELDS || ALL_FIELDS
  const telling = (mask >> TELLING_SHIFT) & places
  if (telling !== 0) return telling & -telling
  const main = 1 << (table.mainFields[row] ?? 0)
  return (places & main) !== 0 ? main : places & -places
}

const COUNT_OF_BITS = Uint8Array.from({ length: ALL_FIELDS + 1 }, (_, bits) => fieldsOfBits(bits).length)
