import { expect, it } from 'vitest'
import { bestCommands } from './find-calls.ts'

it('are those of the first try that found any, whichever part of the index they are from', () => {
  const found = [
    { rank: 0, tried: 1, worked: 1, timeMs: 9 },
    { rank: 2, tried: 0, worked: 0, timeMs: 8 },
    { rank: 2, tried: 0, worked: 1, timeMs: 6 },
    { rank: 2, tried: 0, worked: 2, timeMs: 7 },
    { rank: 2, tried: 0, worked: 2, timeMs: 9, line: 'npm test -- cart' },
    { rank: 1, tried: 0, worked: 0, timeMs: 5 },
  ].map((command) => ({ line: 'npm test', ...command }))
  // by match, then those that worked, then whole lines before longer ones, then the newest
  expect(bestCommands(found).map(({ timeMs }) => timeMs)).toEqual([5, 7, 6, 9, 8])
})
