import type { Turn } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { filterItems, outlineItems } from './outline-items.ts'

const turn = (number: number, prompt: string): Turn => ({
  firstOffset: number * 10,
  number,
  messageKey: `key-${number}`,
  messageCount: 10,
  prompt,
  startTime: null,
  endTime: null,
  superseded: null,
  segment: 0,
  usage: {
    input: 0,
    output: 0,
    cached: 0,
    thoughts: 0,
    tool: 0,
    total: 0,
    calls: 0,
    callsWithoutTokens: 0,
  },
  cost: { usd: null, unpricedCalls: 0 },
  toolCalls: 0,
  toolErrors: 0,
  failedKey: null,
  thoughts: 0,
  failure: null,
})
const turns = [turn(0, ''), turn(1, 'Mend the Cart'), turn(2, '请修复'), turn(12, 'Write 1 test')]
const compression = {
  messageKey: 'key-2',
  offset: 15,
  timestamp: null,
  inputBefore: null,
  inputAfter: null,
}
const keys = (items: ReturnType<typeof outlineItems>) => items.map(({ key }) => key)

const items = (resumedKeys: string[] = []) =>
  outlineItems({ turns, compressions: [compression], resumedKeys })

test('a seam stands before the first turn after a compression, and what had no prompt is left out', () => {
  expect(keys(items())).toEqual(['key-1', 'seam-key-2', 'key-2', 'key-12'])
})

test('a resumed run is told before its turn, and a compression at the same place goes first', () => {
  const seams = items(['key-1', 'key-2', 'key-12']).flatMap((item) =>
    item.kind === 'seam' ? [[item.key, item.word]] : [],
  )
  expect(seams).toEqual([
    ['seam-key-2', 'compressed'],
    ['seam-key-12', 'resumed'],
  ])
})

test.each([
  ['', ['key-1', 'seam-key-2', 'key-2', 'key-12']],
  ['  cart ', ['key-1']],
  ['修', ['key-2']],
  ['12', ['key-12']],
  ['1', ['key-1', 'key-12']],
  ['nowhere', []],
])('the words "%s" leave the turns that have them, without seams', (words, left) => {
  expect(filterItems(items(), words).map(({ key }) => key)).toEqual(left)
})
