import { expect, test } from 'vitest'
import { savedOutputText } from './saved.tsx'

test.each([
  ['{\n  "output": "one\\ntwo"\n}', 'one\ntwo'],
  ['{ "error": "no" }', 'no'],
  ['plain text', 'plain text'],
  ['{ "output": "cut', '{ "output": "cut'],
  ['{ "rows": [1, 2] }', '{ "rows": [1, 2] }'],
  ['{ "output": "a", "error": "b" }', '{ "output": "a", "error": "b" }'],
  ['{}', '{}'],
])('a saved output %j reads %j', (stored, text) => {
  expect(savedOutputText(stored)).toBe(text)
})
