import { expect, test } from 'vitest'
import type { ChartCall } from '../geometry/chart-call.ts'
import { barAt, STRIP, stripGeometry } from './strip-geometry.ts'

const call = (offset: number, fields: Partial<ChartCall> = {}): ChartCall => ({
  messageKey: `a${offset}`,
  offset,
  turn: Math.floor(offset / 2) + 1,
  time: null,
  model: 'gemini-2.5-pro',
  usage: { input: 1_000 * (offset + 1), cached: 0, output: 10, thoughts: 0, tool: 0 },
  usd: 0.25,
  failed: false,
  superseded: null,
  isAtHigherRate: false,
  ...fields,
})
const draw = (calls: ChartCall[], offsets: number[] = [], width = 400) =>
  stripGeometry({
    calls,
    models: [{ name: 'gemini-2.5-pro', contextWindow: 1_048_576, higherRateAbove: 200_000 }],
    compressions: offsets.map((offset) => ({
      messageKey: `a${offset}`,
      offset,
      timestamp: null,
      inputBefore: null,
      inputAfter: null,
    })),
    width,
  })

test('the context line breaks where it was compressed, and leaves out what was taken back', () => {
  const { contextPaths, compressions, superseded } = draw(
    [call(0), call(1), call(2, { superseded: 'rewound' }), call(3)],
    [3],
  )
  expect(contextPaths).toEqual(['M50 35.8L150 29.5', `M350 ${STRIP.top}`])
  expect(compressions).toEqual([300])
  expect(superseded).toEqual([{ x: 200, width: 100 }])
})

test('the cost climbs in stairs to all that the calls cost', () => {
  expect(draw([call(0), call(1, { usd: null })]).costPath).toBe('M0 42H100V17H300V17H400')
  expect(draw([call(0, { usd: null })]).costPath).toBe('')
})

test('failures, turns and the higher rate stand where they belong; a place leads to its call', () => {
  const calls = [call(0), call(1, { failed: true }), call(2), call(3)]
  const geometry = draw(calls)
  expect(geometry.failures).toEqual([150])
  expect(geometry.turns.map(({ x, number }) => [x, number])).toEqual([
    [0, 1],
    [200, 2],
  ])
  expect(geometry.tierY).toBeNull()
  expect(draw([call(0), call(150_000)]).tierY).not.toBeNull()
  expect([barAt(geometry, 399), barAt(geometry, 400), barAt(geometry, -1)]).toEqual([3, null, null])
})
