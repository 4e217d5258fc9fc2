import type { SearchField } from '@gemini-dash/api'
import type { RowTable } from '../rows/row-table.ts'
import { ALL_FIELDS, fieldsOfBits, PLACE_SHIFT, type RowMasks } from './row-masks.ts'

/** How many hits a row that was found is. */
export function hitCount(masks: RowMasks, table: RowTable, row: number): number {
  return COUNT_OF_BITS[hitBits(masks, table, row)] ?? 0
}

/** In which fields a row that was found is a hit. */
export function fieldsOfRow(masks: RowMasks, table: RowTable, row: number): SearchField[] {
  return fieldsOfBits(hitBits(masks, table, row))
}

/** Bits of these fields: where the words are; without any, the main field, or that of the places asked for. */
export function hitBits(masks: RowMasks, table: RowTable, row: number): number {
  const mask = masks[row] ?? 0
  if ((mask & ALL_FIELDS) !== 0) return mask & ALL_FIELDS
  const main = 1 << (table.mainFields[row] ?? 0)
  const places = mask >> PLACE_SHIFT
  return places === 0 || (places & main) !== 0 ? main : places & -places
}

const COUNT_OF_BITS = Uint8Array.from({ length: ALL_FIELDS + 1 }, (_, bits) => fieldsOfBits(bits).length)
