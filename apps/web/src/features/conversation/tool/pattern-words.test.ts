import { expect, test } from 'vitest'
import { patternWords } from './matches.tsx'

test.each([
  ['total', ['total']],
  ['total\\(', ['total(']],
  ['"price"', ['price']],
  ['round|format', ['round', 'format']],
  ['\\bclass\\s+Cart\\b', ['class', 'Cart']],
  ['export (default )?function', ['export ', 'default ', 'function']],
  ['get.*Total', ['get', 'Total']],
  ['a.b', ['a.b']],
  ['.*', []],
  ['', []],
  ['[', ['[']],
])('of the pattern %s the words %j are marked', (pattern, words) => {
  expect(patternWords(pattern)).toEqual(words)
})
