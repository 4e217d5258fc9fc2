import { expect, test } from 'vitest'
import { findNear, nearRanges, nearWords } from './near-text.ts'

const marked = (text: string, wanted: string) =>
  nearRanges(text, nearWords(wanted))?.map(([start, end]) => text.slice(start, end)) ?? null

test('words are found in any order and case, as parts of words too', () => {
  expect(marked('Fix price rounding at checkout', 'check FIX')).toEqual(['Fix', 'check'])
  expect(marked('Fix price rounding at checkout', 'fix pri')).toEqual(['Fix', 'pri'])
  expect(marked('Fix price rounding', 'fix cart')).toBeNull()
})

test('a word with letters left out is found, one with others is not', () => {
  expect(marked('Fix price rounding at checkout', 'chekout')).toEqual(['checkout'])
  expect(marked('Fix price rounding at checkout', 'chexkout')).toBeNull()
  expect(marked('internationalization', 'itn')).toBeNull()
  expect(marked('a far away land', 'faw')).toBeNull()
})

test('accents, full width and other scripts are marked where they stand', () => {
  expect(marked('Über die Größe', 'uber grosse')).toEqual(['Über', 'Größe'])
  expect(marked('为收据页面添加', '页面')).toEqual(['页面'])
  expect(marked('rounding', 'round ound')).toEqual(['round'])
})

test('nothing wanted is everywhere', () => {
  expect(findNear('anything', nearWords('  '))).toEqual([])
})
