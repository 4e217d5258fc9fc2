import type { SessionWhatIf } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { toWhatIfRows } from './to-what-if-rows.ts'

const usd = (value: number | null, unpricedCalls = 0) => ({ usd: value, unpricedCalls })
const whatIf: SessionWhatIf = {
  cost: usd(1),
  calls: 4,
  withoutCache: { cost: usd(3), cachedTokens: 1_000_000 },
  atLowestTier: { cost: usd(0.75), calls: 1, aboveInputTokens: 200_000 },
  onModels: [
    { model: 'gemini-2.5-flash', cost: usd(0.25), wasUsed: false },
    { model: 'gemini-2.5-pro', cost: usd(1), wasUsed: true },
  ],
  agents: 0,
  agentsLeftOut: 0,
}

test('says how much more or less each would have been', () => {
  expect(toWhatIfRows(whatIf).map(({ name, changeUsd }) => [name, changeUsd])).toEqual([
    ['As it was', null],
    ['Without a cache', 2],
    ['Every call under 200,000 input tokens', -0.25],
    ['On gemini-2.5-flash', -0.75],
    ['On gemini-2.5-pro', 0],
  ])
})

test('tells models that were not used later', () => {
  const later = toWhatIfRows(whatIf).filter(({ isMain }) => !isMain)
  expect(later.map(({ key }) => key)).toEqual(['gemini-2.5-flash'])
})

test('leaves out what there was none of', () => {
  const rows = toWhatIfRows({
    ...whatIf,
    withoutCache: { cost: usd(1), cachedTokens: 0 },
    atLowestTier: { cost: usd(1), calls: 0, aboveInputTokens: null },
  })
  expect(rows.map(({ key }) => key)).toEqual(['real', 'gemini-2.5-flash', 'gemini-2.5-pro'])
})

test('claims no change between sums of different calls, nor with an unknown price', () => {
  const rows = toWhatIfRows({
    ...whatIf,
    cost: usd(1, 2),
    withoutCache: { cost: usd(3, 2), cachedTokens: 5 },
  })
  expect(rows.map(({ key, changeUsd }) => [key, changeUsd])).toEqual([
    ['real', null],
    ['cache', 2],
    ['tier', null],
    ['gemini-2.5-flash', null],
    ['gemini-2.5-pro', null],
  ])
  expect(toWhatIfRows({ ...whatIf, cost: usd(null, 4) }).every(({ changeUsd }) => changeUsd === null)).toBe(
    true,
  )
})
