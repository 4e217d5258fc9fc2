import { expect, it } from 'vitest'
import { RowTable } from './row-table.ts'
import { SessionRows } from './session-rows.ts'

function rowsOf(...rows: number[]): SessionRows {
  const made = new SessionRows(rows.length)
  made.rows.set(rows)
  made.timesMs.set(rows.map((row) => row * 1_000))
  made.lengths.fill(7, 0, 2)
  return SessionRows.decode(made.bytes)
}

it('gives the numbers of rows that are gone again, also after a new start', () => {
  const table = new RowTable([])
  for (let row = 0; row < 4; row++) expect(table.allocate()).toBe(row)
  table.add(1, rowsOf(0, 1))
  table.add(2, rowsOf(2, 3))
  table.remove(1)
  expect([table.allocate(), table.allocate(), table.allocate()].sort()).toEqual([0, 1, 4])
  const again = new RowTable([[2, rowsOf(2, 3)]])
  expect([again.allocate(), again.allocate(), again.allocate()].sort()).toEqual([0, 1, 4])
})

it('keeps the rows that a session keeps, and knows what is in them', () => {
  const table = new RowTable([[1, rowsOf(0, 1, 2)]])
  table.remove(1, new Set([0, 2]))
  table.add(1, rowsOf(0, -1, 2))
  expect([...table.rowsOf(1)]).toEqual([0, -1, 2])
  expect([...table.sessions.subarray(0, table.size)]).toEqual([1, 0, 1])
  expect(table.slots[2]).toBe(2)
  expect(table.timesMs[2]).toBe(2_000)
  expect(table.fields[0]).toBe(0b11)
  expect(table.allocate()).toBe(1)
})
