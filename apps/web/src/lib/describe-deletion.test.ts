import { expect, test } from 'vitest'
import { describeDeletion } from './session-words.ts'

const NOON = new Date(2026, 10, 24, 12)
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()

test.each([
  ['on next start', at(24, 12)],
  ['on next start', new Date(0).toISOString()],
  ['today', at(24, 13)],
  ['tomorrow', at(25, 1)],
  ['tomorrow', at(25, 23)],
  ['in 2 days', at(26, 0)],
  ['in 7 days', at(31, 12)],
  [null, at(31, 13)],
  [null, null],
  [null, 'soon'],
])('C10: a session goes %s that is deleted after %s', (words, deletedAfter) => {
  expect(describeDeletion(deletedAfter, NOON)).toBe(words)
})
