import { expect, test } from 'vitest'
import { printTable } from './print-table.ts'

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
  expect(printTable(COLUMNS, rows, null)).toBe(
    ['NAME        COUNT', 'plain           1', '設計の相談     22', '🚀 launch     333', ''].join('\n'),
  )
})

test('a flexible column gives way to a narrow terminal and says so', () => {
  const table = printTable(COLUMNS, [{ name: 'a very long name of a session', count: '1' }], 24)
  expect(table).toBe('NAME               COUNT\na very long name…      1\n')
})

test('R50: text of a file cannot move the cursor, break a line or turn its direction', () => {
  const table = printTable(COLUMNS, [{ name: 'a\x1b[2Jb\r\nc\u202ed', count: '\x07' }], null)
  expect(table).toContain('a\\x1b[2Jb c\\u202ed')
  expect(table).toContain('\\x07')
})
