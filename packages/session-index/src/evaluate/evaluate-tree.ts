import type { SearchField } from '@gemini-dash/api'
import type { IndexLeaf, IndexTree, QueryText } from '../query/tree/query-tree.ts'
import type { RowTable } from '../rows/row-table.ts'
import { ALL_FIELDS, fieldBits, HOLDS, PLACE_SHIFT, type RowMasks, TELLING_SHIFT } from './row-masks.ts'

/** What knows of each row whether a single condition holds. */
export interface Conditions {
  table: RowTable
  /** Rows with the words in one of the fields (bits), and in which. */
  findText(text: QueryText, fields: number): RowMasks
  findFilter(filter: Exclude<IndexLeaf, { kind: 'in' }>): RowMasks
}

/**
 * Which rows a tree holds of, and which of their fields have the words that made it so. `in:` says for the `and` that
 * it stands in where words are looked for, and that there is such text; where no word was found, the
 * text that a filter is about is what was found, or the row's main field of them.
 */
export function evaluateTree(tree: IndexTree, conditions: Conditions, fields = ALL_FIELDS): RowMasks {
  const { table } = conditions
  switch (tree.kind) {
    case 'and':
      return evaluateAll(tree.of, conditions, fields)
    case 'or':
      return tree.of.map((part) => evaluateTree(part, conditions, fields)).reduce(either, none(table))
    case 'not':
      if (tree.of.kind === 'in') return evaluateAll([tree], conditions, fields)
      return negate(evaluateTree(tree.of, conditions, fields))
    case 'in':
      return evaluateAll([tree], conditions, fields)
    case 'text':
      return conditions.findText(tree, fields)
    default:
      return withTelling(conditions.findFilter(tree), table, tellingField(tree))
  }
}

/** Where the row has such text. */
function withTelling(masks: RowMasks, table: RowTable, field: SearchField | null): RowMasks {
  if (field === null) return masks
  const bit = fieldBits([field])
  return masks.map((mask, row) =>
    mask !== 0 && ((table.fields[row] ?? 0) & bit) !== 0 ? mask | (bit << TELLING_SHIFT) : mask,
  )
}

function evaluateAll(parts: IndexTree[], conditions: Conditions, outerFields: number): RowMasks {
  const { table } = conditions
  const isPlace = (part: IndexTree) => placeBits(part) !== null
  const fields = parts.reduce((bits, part) => bits & (placeBits(part) ?? ALL_FIELDS), outerFields)
  const found = parts
    .filter((part) => !isPlace(part))
    .map((part) => evaluateTree(part, conditions, fields))
    .reduce(both, all(table))
  return parts.some(isPlace) ? onlyWithText(found, table, fields) : found
}

/** The fields that `in:` or `-in:` leaves; null for every other condition. */
function placeBits(part: IndexTree): number | null {
  if (part.kind === 'in') return fieldBits(part.fields)
  return part.kind === 'not' && part.of.kind === 'in' ? ALL_FIELDS & ~fieldBits(part.of.fields) : null
}

function onlyWithText(masks: RowMasks, table: RowTable, fields: number): RowMasks {
  return masks.map((mask, row) => {
    const bits = (table.fields[row] ?? 0) & fields
    if (mask === 0 || bits === 0) return 0
    const isUnplaced = (mask & (ALL_FIELDS | (ALL_FIELDS << PLACE_SHIFT))) === 0
    return isUnplaced ? mask | (bits << PLACE_SHIFT) : mask
  })
}

function none(table: RowTable): RowMasks {
  return new Uint32Array(table.size)
}

function all(table: RowTable): RowMasks {
  return none(table).fill(HOLDS)
}

function both(a: RowMasks, b: RowMasks): RowMasks {
  for (let row = 0; row < a.length; row++) {
    const one = a[row] ?? 0
    const other = b[row] ?? 0
    a[row] = one === 0 || other === 0 ? 0 : one | other
  }
  return a
}

function either(a: RowMasks, b: RowMasks): RowMasks {
  for (let row = 0; row < a.length; row++) a[row] = (a[row] ?? 0) | (b[row] ?? 0)
  return a
}

function negate(masks: RowMasks): RowMasks {
  return masks.map((mask) => (mask === 0 ? HOLDS : 0))
}

/** What a condition is about, so that a message which is found by it alone is shown by that; null: by what it says. */
function tellingField(filter: IndexTree): SearchField | null {
  switch (filter.kind) {
    case 'tools':
    case 'status':
    case 'file':
    case 'one-file':
      return 'tool-args'
    case 'has':
      return filter.what === 'thoughts' ? 'thought' : 'tool-args'
    case 'is':
      return filter.what === 'error' ? 'tool-output' : null
    default:
      return null
  }
}
