import type { SearchField } from '@gemini-dash/api'
import { SEARCH_FIELDS } from '../database/schema.ts'

/**
 * For every row of a shard what a condition says of it: 0 where it does not hold, else `HOLDS`, a bit for each
 * field in which a wanted word was found, and above `HOLDS` one for each field that only `in:` names, and above those
 * one for each field that a filter is about.
 */
export type RowMasks = Uint32Array

export const HOLDS = 1 << SEARCH_FIELDS.length
export const ALL_FIELDS = HOLDS - 1
/** From the bit of a field to that for `in:`. */
export const PLACE_SHIFT = SEARCH_FIELDS.length + 1
/** The same to that for filters. */
export const TELLING_SHIFT = PLACE_SHIFT + SEARCH_FIELDS.length

export function fieldBits(fields: readonly SearchField[]): number {
  return fields.reduce((bits, field) => bits | (1 << SEARCH_FIELDS.indexOf(field)), 0)
}

export function fieldsOfBits(bits: number): SearchField[] {
  return SEARCH_FIELDS.filter((_, field) => (bits & (1 << field)) !== 0)
}
