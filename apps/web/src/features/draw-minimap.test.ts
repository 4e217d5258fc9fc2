import { expect, test } from 'vitest'
import { drawMinimap, MINIMAP_ROWS, minimapTicks, minimapTops, offsetAtRow } from './minimap.tsx'

const counts = { dialogue: 0, errors: 0, edits: 0, shell: 0, thoughts: 0 }
const map = { voices: 'pca-', marks: '0102', lines: [10, 10, 20, 0], counts }
const rowsOf = (path: string) => [...path.matchAll(/M[\d.]+ (\d+)/g)].map((match) => Number(match[1]))

test('the strip is shared out by what messages take on the page', () => {
  const tops = minimapTops(map.lines)
  expect(tops[0]).toBe(0)
  expect(tops.at(-1)).toBeCloseTo(MINIMAP_ROWS)
  expect((tops[3] ?? 0) - (tops[2] ?? 0)).toBeCloseTo(2 * ((tops[1] ?? 0) - (tops[0] ?? 0)))
})

test('a row of one message has the colour and the width of its voice', () => {
  const tops = minimapTops(map.lines)
  const { voices, errors, superseded } = drawMinimap(map, tops)
  expect(voices.user.startsWith('M0 0h14v1h-14z')).toBe(true)
  expect(rowsOf(voices.user)[0]).toBe(0)
  expect(rowsOf(errors)).toEqual([Math.floor(tops[1] ?? 0)])
  expect(rowsOf(superseded).length).toBeGreaterThan(0)
})

test('a row of many messages shows every voice by its share', () => {
  const many = { voices: 'pa'.repeat(5_000), marks: '0'.repeat(10_000), lines: Array(10_000).fill(1), counts }
  const { voices } = drawMinimap(many, minimapTops(many.lines))
  expect(new Set(rowsOf(voices.user)).size).toBe(MINIMAP_ROWS)
  expect(rowsOf(voices.model)).toEqual(rowsOf(voices.user))
})

test('a place on the strip leads to the message that is drawn there', () => {
  const tops = minimapTops(Array.from({ length: 20_000 }, (_, index) => index % 7))
  for (const offset of [0, 1, 777, 19_000, 19_999]) {
    const middle = ((tops[offset] ?? 0) + (tops[offset + 1] ?? 0)) / 2
    expect(offsetAtRow(middle, tops)).toBe(offset)
  }
})

test('hits that fall on one row are one tick', () => {
  const tops = minimapTops(Array.from({ length: 10_000 }, () => 1))
  expect(rowsOf(minimapTicks([5_000, 5_001, 9_999], tops))).toEqual([240, 479])
})

test('a session without messages has an empty strip', () => {
  const tops = minimapTops([])
  expect(drawMinimap({ voices: '', marks: '', lines: [], counts }, tops).errors).toBe('')
  expect(offsetAtRow(100, tops)).toBe(0)
})
