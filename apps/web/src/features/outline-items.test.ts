import type { Turn } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { highlights, outlineItems } from './outline.tsx'

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
  const atPrompt = { ...compression, offset: 120 }
  expect(keys(outlineItems({ turns, compressions: [atPrompt], resumedKeys: [] }))).toEqual([
    ...['key-1', 'key-2', 'seam-key-12', 'key-12'],
  ])
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

test('highlights are the first and the last turn, the failed ones, and those of at least 5 % of the cost', () => {
  const costly = (number: number, usd: number | null, fields: Partial<Turn> = {}): Turn => ({
    ...turn(number, 'x'),
    cost: { usd, unpricedCalls: 0 },
    ...fields,
  })
  const failure = { text: 'quota', noticeKey: null }
  const many = Array.from({ length: 60 }, (_, index) => costly(index + 1, 0.01))
  many[10] = costly(11, 0.01, { toolErrors: 2 })
  many[20] = costly(21, 0.01, { failure })
  many[30] = costly(31, 1)
  expect(highlights([turn(0, ''), ...many]).map(({ number }) => number)).toEqual([1, 11, 21, 31, 60])
  // six are expensive
  const dear = many.map((each, index) => (index >= 40 && index < 46 ? costly(each.number, 2 + index) : each))
  expect(highlights(dear).map(({ number }) => number)).toEqual([1, 11, 21, 42, 43, 44, 45, 46, 60])
  // without prices, by tokens
  const large = turn(2, 'x')
  const tokens = [
    turn(1, 'x'),
    { ...large, usage: { ...large.usage, total: 900 } },
    turn(3, 'x'),
    turn(4, 'x'),
  ]
  expect(highlights(tokens).map(({ number }) => number)).toEqual([1, 2, 4])
  expect(highlights([])).toEqual([])
})
