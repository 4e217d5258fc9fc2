import { expect, test } from 'vitest'
import { parseQuery } from './query.ts'
import { queryWords, replaceWords } from './tree.ts'

const query = 'Roundig -"price fed" tool:roundig OR ŔOUNDIG*'
const words = queryWords(query, parseQuery(query, { mode: 'words', zone: 'UTC', nowMs: 0 }).filters)

test('the words of a query are those that stand in no filter', () => {
  expect(words.map(({ word, start, end }) => [word, query.slice(start, end)])).toEqual([
    ['roundig', 'Roundig'],
    ['or', 'OR'],
    ['roundig', 'ŔOUNDIG'],
  ])
})

test('a word is replaced wherever it stands, and nothing else', () => {
  expect(replaceWords(query, words, new Map([['roundig', 'rounding']]))).toBe(
    'rounding -"price fed" tool:roundig OR rounding*',
  )
})
