import { expect, test } from 'vitest'
import { withoutFilter } from './tree.ts'

test.each([
  ['a tool:x b', 'a b'],
  ['tool:x', ''],
  ['tool:x  b', 'b'],
  ['a OR tool:x', 'a'],
  ['tool:x OR a', 'a'],
  ['a OR tool:x OR b', 'a OR b'],
  ['a OR tool:x b', 'a OR b'],
  ['a (tool:x)', 'a'],
  ['a -((tool:x)) b', 'a b'],
  ['(tool:x OR b) c', '(b) c'],
  ['(b OR tool:x) c', '(b) c'],
  ['(a tool:x)', '(a)'],
])('%s is then %j', (query, rest) => {
  const start = query.indexOf('tool:x')
  expect(withoutFilter(query, { start, end: start + 'tool:x'.length })).toBe(rest)
})
