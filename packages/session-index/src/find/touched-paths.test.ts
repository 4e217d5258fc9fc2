import { expect, it } from 'vitest'
import { NameTable } from '../rows/name-table.ts'
import { toSessionCalls } from '../rows/session-calls.ts'
import { mostTouched, touchedPaths } from './touched-paths.ts'

const call = (...paths: string[]) => ({ tool: 'read_file', status: 'success', paths })

function tableOf(...rows: string[][]): NameTable {
  const table = new NameTable()
  table.put(1, toSessionCalls(rows.map((paths, row) => [row, [call(...paths)]])).path)
  return table
}

it('are the paths with what was typed, in any case and with either slash, by messages', () => {
  const table = tableOf(['src/Cart.ts'], ['src/Cart.ts', 'src/price.ts'], ['docs/cart.md'], ['src/price.ts'])
  expect(touchedPaths(table, 'CART')).toEqual([
    { path: 'src/Cart.ts', messages: 2 },
    { path: 'docs/cart.md', messages: 1 },
  ])
  expect(touchedPaths(table, 'src\\p')).toEqual([{ path: 'src/price.ts', messages: 2 }])
  expect(touchedPaths(table, '').map(({ path }) => path)).toEqual([
    'src/Cart.ts',
    'src/price.ts',
    'docs/cart.md',
  ])
  expect(touchedPaths(table, 'nowhere')).toEqual([])
})

it('of several shards are one list, each path once', () => {
  const found = [touchedPaths(tableOf(['a.ts'], ['b.ts']), ''), touchedPaths(tableOf(['b.ts']), '')]
  expect(mostTouched(found.flat())).toEqual([
    { path: 'b.ts', messages: 2 },
    { path: 'a.ts', messages: 1 },
  ])
})
