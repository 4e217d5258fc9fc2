import { foldPath, resolveTouchedPath } from 'gemini-sessions'
import type { IndexLeaf, OneFileLeaf } from '../query/tree/query-tree.ts'
import type { NameTable } from '../rows/name-table.ts'
import { pathPattern } from '../rows/path-pattern.ts'
import { ROW_FLAGS } from '../rows/row-flags.ts'
import type { RowTable } from '../rows/row-table.ts'
import type { CallKind } from '../rows/session-calls.ts'
import { wildcardPattern } from '../rows/wildcard-pattern.ts'
import { HOLDS, type RowMasks } from './row-masks.ts'

export interface FilterSource {
  table: RowTable
  /** Numbers of the sessions with these keys. */
  sessionNumbers(keys: string[]): number[]
  /** What the calls of all rows were. */
  calls(kind: CallKind): NameTable
}

/** The rows that a filter holds of. */
export function filterRows(filter: Exclude<IndexLeaf, { kind: 'in' }>, source: FilterSource): RowMasks {
  const { table } = source
  switch (filter.kind) {
    case 'is':
      return rowsWhere(table, hasFlag(table, ROW_FLAGS[filter.what]))
    case 'unanswered':
      return rowsWhere(table, hasFlag(table, ROW_FLAGS.unanswered))
    case 'has':
      return rowsWhere(table, hasFlag(table, ROW_FLAGS[filter.what]))
    case 'tokens':
      return rowsWhere(table, isCompared(table.tokens, filter))
    case 'cost':
      return rowsWhere(table, isCompared(table.costs, filter))
    case 'before':
      return rowsWhere(table, (row) => (table.timesMs[row] ?? 0) < filter.timeMs)
    case 'after':
      return rowsWhere(table, (row) => (table.timesMs[row] ?? 0) >= filter.timeMs)
    case 'sessions':
      return rowsOfSessions(table, source.sessionNumbers(filter.keys))
    case 'tools': {
      const names = new Set(filter.names)
      return rowsOfCalls(source, 'tool', (name) => names.has(name))
    }
    case 'status':
      return rowsOfCalls(source, 'status', wildcardPattern(filter.status))
    case 'file':
      return rowsOfCalls(source, 'path', pathPattern(filter.pattern))
    case 'one-file':
      return rowsOfCalls(source, 'path', isFile(filter))
  }
}

function isFile({ path, root }: OneFileLeaf): (name: string) => boolean {
  const wanted = foldPath(path)
  return (name) => foldPath(resolveTouchedPath(name, root)) === wanted
}

function rowsWhere(table: RowTable, holds: (row: number) => boolean): RowMasks {
  const masks = new Uint32Array(table.size)
  for (let row = 0; row < masks.length; row++) if (holds(row)) masks[row] = HOLDS
  return masks
}

function hasFlag({ flags }: RowTable, flag: number): (row: number) => boolean {
  return (row) => ((flags[row] ?? 0) & flag) !== 0
}

/** What is not known (NaN) compares with nothing. */
function isCompared(
  column: Float64Array,
  { compare, value }: { compare: '<' | '<=' | '=' | '>=' | '>'; value: number },
): (row: number) => boolean {
  const of = (row: number) => column[row] ?? Number.NaN
  switch (compare) {
    case '<':
      return (row) => of(row) < value
    case '<=':
      return (row) => of(row) <= value
    case '=':
      return (row) => of(row) === value
    case '>=':
      return (row) => of(row) >= value
    case '>':
      return (row) => of(row) > value
  }
}

function rowsOfSessions(table: RowTable, sessionNumbers: number[]): RowMasks {
  const masks = new Uint32Array(table.size)
  for (const number of sessionNumbers) {
    for (const row of table.rowsOf(number)) if (row >= 0) masks[row] = HOLDS
  }
  return masks
}

function rowsOfCalls(
  { table, calls }: FilterSource,
  kind: CallKind,
  isWanted: (name: string) => boolean,
): RowMasks {
  const masks = new Uint32Array(table.size)
  calls(kind).forRows(isWanted, (row) => {
    masks[row] = HOLDS
  })
  return masks
}
