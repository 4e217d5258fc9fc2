import { expect, test } from 'vitest'
import { countText, foundPlaces, stepFrom } from './session-find.tsx'

const hit = (messageKey: string, offset: number, field = 'answer') => ({
  messageKey,
  offset,
  field,
  snippet: 'x',
  ranges: [],
})
const places = foundPlaces([hit('a', 2), hit('a', 2, 'thought'), hit('b', 5), hit('c', 9)])

test('a message with several hits is one place', () => {
  expect(places.map(({ messageKey }) => messageKey)).toEqual(['a', 'b', 'c'])
})

test('they are counted by hit, as a search counts them', () => {
  expect([-1, 0, 1, 2].map((index) => countText(places, index))).toEqual([
    ...['4 results', '1–2 of 4', '3 of 4', '4 of 4'],
  ])
})

test.each([
  ['from the first to the second', 0, 0, 1, 1],
  ['from the last on to the first', 2, 0, 1, 0],
  ['from the first back to the last', 0, 0, -1, 2],
  ['from the top of the window to the next below', -1, 3, 1, 1],
  ['from below all to the first', -1, 30, 1, 0],
  ['from the top of the window to the next above', -1, 6, -1, 1],
  ['from a place at the top of the window to the one above it', -1, 5, -1, 0],
  ['from above all to the last', -1, 0, -1, 2],
] as const)('a step leads %s', (_, index, top, by, next) => {
  expect(stepFrom(places, index, top, by)).toBe(next)
})

test('without places there is no step', () => {
  expect(stepFrom([], -1, 0, 1)).toBe(-1)
})
