import type { SearchField } from '@gemini-dash/api'
import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type { IndexLeaf, IndexTree, QueryText } from './query/tree.ts'

/** Filters on a row itself, not on which field its words are in. */
export type RowCondition = Exclude<IndexLeaf, { kind: 'in' }>

/** Evaluates single conditions for rows, by row number. */
interface RowSources {
  /** Bits of its non-empty fields. */
  fields(row: number): number
  /** Bits of the fields that contain the text. */
  text(text: QueryText): (row: number) => number
  holds(filter: RowCondition): (row: number) => boolean
}

/** The tree does not match the row. */
export const NO_MASK = -1

/**
 * Evaluates a tree for rows: a mask of the matching fields, or `NO_MASK`. In an `and`, `in:` restricts where words are searched for, and
 * requires such text. If no word was found, the match is the text that a filter is about, or the row's main field.
 */
export function treeMask(
  tree: IndexTree,
  sources: RowSources,
  fields = ALL_FIELDS,
): (row: number) => RowMask | typeof NO_MASK {
  switch (tree.kind) {
    case 'and':
      return all(tree.of, sources, fields)
    case 'or':
      return either(tree.of.map((part) => treeMask(part, sources, fields)))
    case 'not': {
      if (tree.of.kind === 'in') return all([tree], sources, fields)
      const mask = treeMask(tree.of, sources, fields)
      return (row) => (mask(row) === NO_MASK ? 0 : NO_MASK)
    }
    case 'in':
      return all([tree], sources, fields)
    case 'text': {
      const bits = sources.text(tree)
      return (row) => bits(row) & fields || NO_MASK
    }
    default: {
      const field = tellingField(tree)
      const telling = field === null ? 0 : fieldBits([field])
      const holds = sources.holds(tree)
      return (row) => (holds(row) ? (sources.fields(row) & telling) << TELLING_SHIFT : NO_MASK)
    }
  }
}

function either(masks: ReturnType<typeof treeMask>[]): ReturnType<typeof treeMask> {
  return (row) => {
    let found = NO_MASK
    for (const mask of masks) {
      const one = mask(row)
      if (one !== NO_MASK) found = found === NO_MASK ? one : found | one
    }
    return found
  }
}

function all(parts: IndexTree[], sources: RowSources, outerFields: number): ReturnType<typeof treeMask> {
  const fields = parts.reduce((bits, part) => bits & (placeBits(part) ?? ALL_FIELDS), outerFields)
  const masks = parts
    .filter((part) => placeBits(part) === null)
    .map((part) => treeMask(part, sources, fields))
  const union = (row: number): RowMask => {
    let mask = 0
    for (const one of masks) {
      const its = one(row)
      if (its === NO_MASK) return NO_MASK
      mask |= its
    }
    return mask
  }
  if (masks.length === parts.length) return union
  return (row) => {
    const here = sources.fields(row) & fields
    const mask = here === 0 ? NO_MASK : union(row)
    if (mask === NO_MASK) return NO_MASK
    const isUnplaced = (mask & (ALL_FIELDS | (ALL_FIELDS << PLACE_SHIFT))) === 0
    return isUnplaced ? mask | (here << PLACE_SHIFT) : mask
  }
}

/**
 * The matching fields of a row: a bit for each field with a wanted word, then one for each that only `in:` names, then one for each that a
 * filter is about.
 */
export type RowMask = number

export const ALL_FIELDS = (1 << SEARCH_FIELDS.length) - 1
/** Shift from the bit of a field to that for `in:`. */
export const PLACE_SHIFT = SEARCH_FIELDS.length
/** Shift from the bit of a field to that for filters. */
export const TELLING_SHIFT = PLACE_SHIFT + SEARCH_FIELDS.length

export function fieldBits(fields: readonly SearchField[]): number {
  return fields.reduce((bits, field) => bits | (1 << SEARCH_FIELDS.indexOf(field)), 0)
}

export function fieldsOfBits(bits: number): SearchField[] {
  return SEARCH_FIELDS.filter((_, field) => (bits & (1 << field)) !== 0)
}

/** The field that a condition is about, to show for a message found by it alone; null: its content. */
function tellingField(filter: IndexTree): SearchField | null {
  switch (filter.kind) {
    case 'tools':
    case 'status':
    case 'file':
      return 'tool-args'
    case 'has':
      return filter.what === 'thoughts' ? 'thought' : 'tool-args'
    case 'is':
      return filter.what === 'error' ? 'tool-output' : null
    default:
      return null
  }
}

/** The fields that `in:` or `-in:` allows; null for every other condition. */
function placeBits(part: IndexTree): number | null {
  if (part.kind === 'in') return fieldBits(part.fields)
  return part.kind === 'not' && part.of.kind === 'in' ? ALL_FIELDS & ~fieldBits(part.of.fields) : null
}
