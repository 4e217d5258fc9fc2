import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChartCall } from './chart-call.ts'
import { chartBars, LAYOUT } from './chart-call.ts'
import { type ChartFacts, chartGeometry, stepAt } from './chart-geometry.ts'
import { numberedTurns } from './chart-plot.tsx'

function call(
  offset: number,
  tokens: Partial<NonNullable<ChartCall['usage']>> = {},
  fields: Partial<ChartCall> = {},
): ChartCall {
  const none = { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0 }
  return {
    messageKey: `m${offset}`,
    offset,
    turn: 1,
    time: null,
    model: 'gemini-2.5-pro',
    usage: { ...none, ...tokens },
    usd: 0.1,
    superseded: null,
    failed: false,
    isAtHigherRate: false,
    ...fields,
  }
}

function geometryOf(calls: ChartCall[], facts: Partial<ChartFacts> = {}) {
  const plain = { models: [], compressions: [], width: 800 }
  return chartGeometry({ ...plain, calls, ...facts })
}

describe('the steps of the chart', () => {
  test('are the calls where there is room', () => {
    expect(chartBars([call(0), call(1)], 10).map((bar) => [bar.first, bar.last])).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('join calls where there is not, and keep the peak and every failure', () => {
    const calls = Array.from({ length: 5_000 }, (_, index) =>
      call(index, { input: index === 1_234 ? 900 : 10 }, { failed: index === 1_240 }),
    )
    const bars = chartBars(calls, 400)
    expect(bars.length).toBeLessThanOrEqual(400)
    expect(bars.at(-1)?.last).toBe(5_000)
    expect(bars.some((bar) => bar.call.offset === 1_234)).toBe(true)
    expect(bars.filter((bar) => bar.hasFailure)).toHaveLength(1)
  })
})

describe('the geometry of the chart', () => {
  test('the context line passes over calls of which nothing, or only a total, is recorded', () => {
    const recorded = { input: 100, cached: 0, output: 5, thoughts: 0, tool: 0 }
    const { contextPaths, totalUsd, hasUnpriced } = geometryOf([
      call(0, recorded),
      call(1, {}, { usd: null }),
      call(2, {}, { usage: null, usd: null }),
      call(3, recorded),
    ])
    const heights = contextPaths[0]?.split(/[ML]/).map((point) => point.split(' ')[1])
    expect(heights?.slice(1)).toEqual([heights?.[1], heights?.[1]])
    expect({ totalUsd, hasUnpriced }).toEqual({ totalUsd: 0.2, hasUnpriced: true })
  })

  test('received stands on the ruler, sent hangs below it, cached under fresh', () => {
    const { steps } = geometryOf([call(0, { input: 100, cached: 60, output: 20, thoughts: 5 })])
    const block = (name: string) => steps[0]?.blocks.find(({ tokenClass }) => tokenClass === name)
    expect((block('output')?.y ?? 0) + (block('output')?.height ?? 0)).toBeCloseTo(LAYOUT.rulerTop)
    expect(block('thoughts')?.y).toBeCloseTo(LAYOUT.receivedTop)
    expect(block('fresh')?.y).toBeCloseTo(LAYOUT.rulerBottom)
    expect(block('cached')?.y).toBeCloseTo((block('fresh')?.y ?? 0) + (block('fresh')?.height ?? 0))
  })

  test('the context line breaks at a compression', () => {
    const calls = [call(0, { input: 10 }), call(2, { input: 90 }), call(5, { input: 20 })]
    const seam = { messageKey: 'm4', offset: 4, timestamp: null, inputBefore: 90, inputAfter: 20 }
    const geometry = geometryOf(calls, { compressions: [seam] })
    expect(geometry.contextPaths).toHaveLength(2)
    expect(geometry.seams[0]?.x).toBe(geometry.steps[2]?.x)
  })

  test('a rewound call is no part of the context', () => {
    const calls = [
      call(0, { input: 10 }),
      call(1, { input: 90 }, { superseded: 'rewound' }),
      call(2, { input: 20 }),
    ]
    expect(geometryOf(calls).contextPaths[0]?.match(/[ML]/g)).toHaveLength(2)
  })

  test('cost adds up, and is unknown only where nothing is priced', () => {
    expect(geometryOf([call(0), call(1)]).totalUsd).toBeCloseTo(0.2)
    const unpriced = call(0, {}, { usd: null })
    expect(geometryOf([unpriced]).totalUsd).toBeNull()
    expect(geometryOf([unpriced, call(1)]).totalUsd).toBeCloseTo(0.1)
  })

  test('the tier of the price shows where a call of such a model reaches it', () => {
    const models = [{ name: 'gemini-2.5-pro', contextWindow: 1_048_576, higherRateAbove: 200_000 }]
    expect(geometryOf([call(0, { input: 210_000 })], { models }).tier?.value).toBe(200_000)
    expect(geometryOf([call(0, { input: 210_000 })], { models }).windowY).toBe(LAYOUT.contextTop)
    expect(geometryOf([call(0, { input: 70_000 })], { models }).tier).toBeNull()
    expect(geometryOf([call(0, { input: 210_000 })]).tier).toBeNull()
  })

  test('the line of cost is broken where a price is unknown', () => {
    const { costPath, costGaps } = geometryOf([call(0), call(1, {}, { usd: null }), call(2)])
    expect(costGaps.match(/M/g)).toHaveLength(1)
    expect(costPath.match(/M/g)).toHaveLength(2)
    expect(geometryOf([call(0), call(1)]).costGaps).toBe('')
  })

  test('the first call of a run at the higher rate is marked', () => {
    const higher = { isAtHigherRate: true }
    const calls = [call(0, { input: 9 }), call(1, { input: 9 }, higher), call(2, { input: 9 }, higher)]
    expect(geometryOf(calls).steps.map((step) => step.isTierJump)).toEqual([false, true, false])
    expect(geometryOf(calls).steps[0]?.blocks).toHaveLength(1)
  })

  test('a turn is numbered where it begins', () => {
    const calls = [call(0), call(1), call(2, {}, { turn: 2 })]
    expect(geometryOf(calls).steps.map((step) => step.turn)).toEqual([1, null, 2])
  })

  test('a place on the plot names its step, a place beside it none', () => {
    const geometry = geometryOf([call(0), call(1)])
    expect(stepAt(geometry, LAYOUT.left + 1)).toBe(0)
    expect(stepAt(geometry, LAYOUT.left - 1)).toBeNull()
    expect(stepAt(geometry, 799)).toBeNull()
  })

  test('nothing is ever drawn outside its band', () => {
    const tokens = fc.integer({ min: 0, max: 2_000_000 })
    const usage = fc.record({ input: tokens, output: tokens, cached: tokens, thoughts: tokens, tool: tokens })
    fc.assert(
      fc.property(fc.array(usage, { maxLength: 40 }), (usages) => {
        const calls = usages.map((tokens, index) => call(index, tokens))
        for (const step of geometryOf(calls).steps) {
          for (const { y, height } of step.blocks) {
            expect(y).toBeGreaterThanOrEqual(LAYOUT.receivedTop - 1)
            expect(y + height).toBeLessThanOrEqual(LAYOUT.sentBottom + 1)
          }
        }
      }),
    )
  })
})

describe('the numbers of turns', () => {
  const manyArbitrary = fc.array(fc.record({ isTurn: fc.boolean(), failed: fc.boolean() }), {
    minLength: 1,
    maxLength: 300,
  })

  test('lie neither on each other nor under the cross of a failure', () => {
    fc.assert(
      fc.property(manyArbitrary, fc.integer({ min: 200, max: 1600 }), (marks, width) => {
        let turn = 0
        const calls = marks.map(({ isTurn, failed }, offset) => {
          if (isTurn || offset === 0) turn += 1
          return call(offset, { input: 10 }, { turn, failed })
        })
        const { steps } = geometryOf(calls, { width })
        const numbered = numberedTurns({ steps })
        const spans = steps
          .filter(({ index }) => numbered.has(index))
          .map((step) => [step.x + 4, step.x + 4 + String(step.turn).length * 7] as const)
        for (const [place, [start]] of spans.entries())
          expect(start).toBeGreaterThanOrEqual(spans[place - 1]?.[1] ?? 0)
        for (const { hasFailure, barX, barWidth } of steps) {
          if (!hasFailure) continue
          const middle = barX + barWidth / 2
          for (const [start, end] of spans) expect(middle + 3 <= start || middle - 3 >= end).toBe(true)
        }
      }),
    )
  })

  test('are there where they have room', () => {
    const calls = Array.from({ length: 3 }, (_, offset) =>
      call(offset, { input: 10 }, { turn: offset + 1, failed: offset === 1 }),
    )
    expect([...numberedTurns(geometryOf(calls))]).toEqual([0, 1, 2])
  })
})
