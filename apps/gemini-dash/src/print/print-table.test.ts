import { expect, test } from 'vitest'
import type { Terminal } from '../terminal/terminal.ts'
import { printTable, writeTable } from './print-table.ts'

interface Row {
  name: string
  count: string
}
const COLUMNS = [
  { title: 'NAME', text: ({ name }: Row) => name, isFlexible: true },
  { title: 'COUNT', text: ({ count }: Row) => count, align: 'right' as const },
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

test('D4: piped it has no padding, plain it has tabs and no titles', async () => {
  const rows = [
    { name: 'a\tb', count: '1' },
    { name: 'longer', count: '22' },
  ]
  expect(await written(rows, null, false)).toBe('NAME  COUNT\na b  1\nlonger  22\n')
  expect(await written(rows, 20, true)).toBe('a b\t1\nlonger\t22\n')
})

test('D4: what does not fit is left out and told', async () => {
  const rows = [{ name: 'a very long name of a session', count: '123456789' }]
  expect(await written(rows, 24, false)).not.toContain('Left out')
  expect(await written(rows, 18, false)).toContain('Left out for want of width: COUNT.')
})

async function written(rows: Row[], columns: number | null, isPlain: boolean): Promise<string> {
  let text = ''
  const terminal: Terminal = {
    write: async (part) => {
      text += part
    },
    note: (line) => {
      text += line
    },
    progress: () => {},
    clearProgress: () => {},
    columns,
    isColorful: false,
  }
  const [name, count] = COLUMNS
  await writeTable(
    terminal,
    [...(name ? [name] : []), ...(count ? [{ ...count, leaves: 1 }] : [])],
    rows,
    isPlain,
  )
  return text
}
