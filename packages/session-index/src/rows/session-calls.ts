import type { RowCall } from './row-call.ts'

/** What filters and facets ask of the calls of a row. */
export const CALL_KINDS = ['tool', 'status', 'path'] as const
export type CallKind = (typeof CALL_KINDS)[number]

/** Which rows have which names, each pair once. Laid out as it is stored. */
export interface NamedRows {
  names: string[]
  /** Row, index into `names`, row, index, … */
  pairs: Int32Array<ArrayBuffer>
}

/** The calls of one session: the tools of its rows, how their calls ended, and the paths that they touched. */
export type CallRows = Record<CallKind, NamedRows>

export function toSessionCalls(callsByRow: readonly [row: number, calls: RowCall[]][]): CallRows {
  return {
    tool: toNamedRows(callsByRow, ({ tool }) => [tool]),
    status: toNamedRows(callsByRow, ({ status }) => [status]),
    path: toNamedRows(callsByRow, ({ paths }) => paths),
  }
}

function toNamedRows(
  callsByRow: readonly [row: number, calls: RowCall[]][],
  namesOf: (call: RowCall) => string[],
): NamedRows {
  const indexes = new Map<string, number>()
  /** The last row that has each name. */
  const lastRows: number[] = []
  const pairs: number[] = []
  for (const [row, calls] of callsByRow) {
    for (const call of calls) {
      for (const name of namesOf(call)) {
        const index = indexes.get(name) ?? indexes.size
        if (lastRows[index] === row) continue
        lastRows[index] = row
        indexes.set(name, index)
        pairs.push(row, index)
      }
    }
  }
  return { names: [...indexes.keys()], pairs: Int32Array.from(pairs) }
}
