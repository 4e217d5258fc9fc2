import { expect, it } from 'vitest'
import { NameTable } from './name-table.ts'
import { toSessionCalls } from './session-calls.ts'

const call = (tool: string, ...paths: string[]) => ({ tool, status: 'success', paths })

function tableOf(kind: 'tool' | 'path'): NameTable {
  const table = new NameTable()
  const first = [call('read_file', 'src/a.ts'), call('read_file', 'src/b.ts'), call('glob', 'src')]
  table.put(1, toSessionCalls([[3, first]])[kind])
  table.put(2, toSessionCalls([[8, [call('glob', 'src')]]])[kind])
  return table
}

const rowsWith = (table: NameTable, isWanted: (name: string) => boolean) => {
  const rows: number[] = []
  table.forRows(isWanted, (row) => rows.push(row))
  return rows
}

it('knows the rows of a name in every session', () => {
  expect(rowsWith(tableOf('tool'), (name) => name === 'glob')).toEqual([3, 8])
  expect(rowsWith(tableOf('path'), (name) => name.endsWith('.ts'))).toEqual([3, 3])
  expect(rowsWith(tableOf('path'), () => false)).toEqual([])
})

it('counts a row once for each of its names, however often it has it', () => {
  const table = tableOf('tool')
  expect(table.sums((row) => row)).toEqual({ keys: ['read_file', 'glob'], hits: [3, 11] })
  expect(table.sums((row) => Number(row === 8))).toEqual({ keys: ['glob'], hits: [1] })
})

it('takes the place of what was known of a session, and forgets it', () => {
  const table = tableOf('tool')
  table.put(1, toSessionCalls([[4, [call('glob')]]]).tool)
  expect(rowsWith(table, () => true)).toEqual([4, 8])
  table.forget(1)
  expect(rowsWith(table, () => true)).toEqual([8])
})
