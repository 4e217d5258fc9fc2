import { expect, test } from 'vitest'
import type { Terminal } from '../terminal/cli-error.ts'
import { plainTable, printTable, type TableColumn, writeTable } from './print-table.ts'

interface Row {
  name: string
  count: string
}
const COLUMNS: TableColumn<Row>[] = [
  { title: 'NAME', text: ({ name }) => name, narrowsTo: 10 },
  { title: 'COUNT', text: ({ count }) => count, align: 'right', leaves: 1 },
]

test('columns are aligned by the width on screen, two columns for CJK and emoji', () => {
  const rows = [
    { name: 'plain', count: '1' },
    { name: '設計の相談', count: '22' },
    { name: '🚀 launch', count: '333' },
  ]
  expect(printTable(COLUMNS, rows, 200)).toBe(
    ['NAME        COUNT', 'plain           1', '設計の相談     22', '🚀 launch     333', ''].join('\n'),
  )
})

test('a flexible column gives way to a narrow terminal and says so', () => {
  const table = printTable(COLUMNS, [{ name: 'a very long name of a session', count: '1' }], 24)
  expect(table).toBe('NAME               COUNT\na very long name…      1\n')
})

test('R50: text of a file cannot move the cursor, break a line or turn its direction', () => {
  const table = printTable(COLUMNS, [{ name: 'a\x1b[2Jb\r\nc\u202ed', count: '\x07' }], 200)
  expect(table).toContain('a\\x1b[2Jb c\\u202ed')
  expect(table).toContain('\\x07')
})

test('two names that differ are never cut to the same', () => {
  const names = [
    'Add the discount of the cart to the receipt',
    'Add the discount of the cart to the invoice',
    'Add the discount of the cart to it',
  ]
  const lines = printTable(
    COLUMNS.slice(0, 1),
    names.map((name) => ({ name, count: '' })),
    20,
  ).split('\n')
  expect(new Set(lines.slice(1, -1)).size).toBe(3)
  for (const line of lines.slice(1, -1)) expect(line).toMatch(/^Add the d/)
})

test('D4: piped it has no padding, plain it has tabs and no titles', async () => {
  const rows = [
    { name: 'a\tb', count: '1' },
    { name: 'longer', count: '22' },
  ]
  expect(await written(rows, null)).toEqual(['NAME  COUNT\na b  1\nlonger  22\n', []])
  expect(plainTable(COLUMNS, rows)).toBe('a b\t1\nlonger\t22\n')
})

test('D4: what does not fit has its shorter form or is hidden, and the caller gets the names of hidden columns', async () => {
  const rows = [{ name: 'a very long name of a session', count: '123456789' }]
  expect((await written(rows, 24))[1]).toEqual([])
  expect(await written(rows, 18)).toEqual(['NAME\na very long name …\n', ['COUNT']])
  const short = { title: 'N', text: () => '9' }
  const [name, count] = COLUMNS
  const columns = name === undefined || count === undefined ? [] : [name, { ...count, short }]
  expect(await written(rows, 18, columns)).toEqual(['NAME             N\na very long na…  9\n', []])
})

test('a tone colors the text alone, and only where colors are on', () => {
  const columns = COLUMNS.map((column) => ({ ...column, tone: () => 'red' as const }))
  const rows = [{ name: 'a', count: '1' }]
  expect(printTable(columns, rows, 80, true)).toBe(
    'NAME  COUNT\n\x1b[31ma\x1b[39m         \x1b[31m1\x1b[39m\n',
  )
  expect(printTable(columns, rows, 80)).not.toContain('\x1b')
})

async function written(
  rows: Row[],
  width: number | null,
  columns = COLUMNS,
): Promise<[text: string, hidden: string[]]> {
  let text = ''
  const terminal: Terminal = {
    write: async (part) => {
      text += part
    },
    note: () => {},
    progress: () => {},
    clearProgress: () => {},
    columns: width,
    isColorful: false,
  }
  const hidden = await writeTable(terminal, columns, rows)
  return [text, hidden]
}
