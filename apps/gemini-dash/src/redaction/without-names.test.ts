import { expect, test } from 'vitest'
import { withoutNames } from './health-report.ts'

const PROJECTS = [
  { name: 'shop-front', path: '/home/alice/code/shop-front' },
  { name: 'my plan', path: 'C:\\Users\\alice\\my plan' },
  { name: 'größe', path: null },
]
const OWN = { homes: [], userNames: ['alice'], hostNames: ['alices-laptop'] }
const clean = (text: string) => withoutNames(text, PROJECTS, OWN)

test('a path that is longer than a pattern can be is in no sentence', () => {
  const [known] = PROJECTS
  const projects = [{ name: 'x', path: '{'.repeat(60_000) }, ...(known ? [known] : [])]
  expect(withoutNames('In shop-front', projects, OWN)).toBe('In [project]')
})

test.each([
  ['Could not open /home/alice/code/shop-front/x.json.', 'Could not open [path].'],
  ['No access: /home/alice/tax return/form 1.json, EACCES', 'No access: [path], EACCES'],
  ['open "/home/alice/my files/a b" failed', 'open "[path]" failed'],
  ['C:\\Users\\alice\\a b\\x.json is torn', '[path] is torn'],
  ['C:/Users/alice/x', '[path]'],
  ['\\\\?\\C:\\Users\\alice\\x', '[path]'],
  ['\\\\server\\alice\\x', '[path]'],
  ['C:\\\\Users\\\\alice\\\\x', '[path]'],
  ['~/code/x and then', '[path] and then'],
  ['~\\code\\x', '[path]'],
  ['%USERPROFILE%\\x', '[path]'],
  ['at file:///C:/Users/alice/x', 'at [path]'],
  ['file:///home/alice/my%20files/x.json', '[path]'],
  [encodeURIComponent('/home/alice/secret'), '[path]'],
  [encodeURIComponent('C:\\Users\\alice\\secret'), '[path]'],
  [encodeURIComponent(encodeURIComponent('/home/alice/secret')), '[path]'],
  ['100%25 of my%20plan', '100% of [project]'],
  [encodeURIComponent('größe'), '[project]'],
  ['SHOP-FRONT, Alice on ALICES-LAPTOP', '[project], [name] on [name]'],
  ['session-2026-01-01T10-00-abcd.json', '[file]'],
  ['malice is no name, %E0%A4%A is no text', 'malice is no name, %E0%A4%A is no text'],
])('%s tells nothing of whose it is', (text, cleaned) => {
  expect(clean(text)).toBe(cleaned)
})
