import { expect, test } from 'vitest'
import { cutQuery, withoutCutMark } from './cut-query.ts'

test('a text that an address holds stays as it is', () => {
  const trace = 'Error: no turnip\n    at plant (/home/mia/garden/src/plant.ts:10:5)\n'.repeat(22)
  expect(trace.length).toBeGreaterThan(1_400)
  expect(cutQuery(trace)).toBe(trace)
  expect(withoutCutMark(trace)).toBeNull()
})

test.each(['x', ' at plant (/home/mia/src/plant.ts:10:5)\n', 'ü', '蕪', '🥕', '\ud83e', '%'])(
  'of 20,000 times %j so much is left that its address has less than 8 KB',
  (piece) => {
    const cut = cutQuery(piece.repeat(20_000))
    expect(new URLSearchParams({ q: cut }).toString().length).toBeLessThan(6_100)
    expect(piece.repeat(20_000).startsWith(withoutCutMark(cut) ?? '?')).toBe(true)
    expect(cutQuery(cut)).toBe(cut)
  },
)

test('a short text that ends with the mark was not cut', () => {
  expect(withoutCutMark('and so on…')).toBeNull()
})
