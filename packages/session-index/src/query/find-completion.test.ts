import { expect, test } from 'vitest'
import { findCompletion, writeValue } from './query.ts'

/** The bar is the caret. */
function complete(marked: string) {
  const at = marked.indexOf('|')
  const query = marked.replace('|', '')
  const completion = findCompletion(query, at)
  return completion && [completion.field, completion.typed, query.slice(completion.start, completion.end)]
}

test.each([
  ['pro|', [null, 'pro', 'pro']],
  ['a pr|oj', [null, 'pr', 'proj']],
  ['-to|', [null, 'to', 'to']],
  ['(mod|', [null, 'mod', 'mod']],
  ['tool:|', ['tool', '', '']],
  ['tool:run|_x b', ['tool', 'run', 'run_x']],
  ['-tool:ru|', ['tool', 'ru', 'ru']],
  ['in:prompt,an|', ['in', 'an', 'an']],
  ['in:pr|o,answer', ['in', 'pr', 'pro']],
  ['project:"my s|hop"', ['project', 'my s', '"my shop"']],
  [String.raw`tag:"to \"d|`, ['tag', 'to "d', String.raw`"to \"d`]],
  ['(tool:x|)', ['tool', 'x', 'x']],
  ['too|l:x', [null, 'too', 'tool:x']],
  ['|', null],
  ['a |', null],
  ['"tool:|x"', null],
])('%s', (marked, expected) => {
  expect(complete(marked)).toEqual(expected)
})

test('a value with blanks, commas or quotes is quoted', () => {
  expect(['webshop', 'my shop', 'a,b', 'f(x)', '6"', '„so“'].map(writeValue)).toEqual([
    'webshop',
    '"my shop"',
    '"a,b"',
    '"f(x)"',
    String.raw`"6\""`,
    String.raw`"\„so\“"`,
  ])
})
