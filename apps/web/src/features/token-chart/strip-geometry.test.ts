import { expect, test } from 'vitest'
import type { ChartCall } from './chart-call.ts'
import { barAt, barOf, STRIP, stripGeometry } from './strip.tsx'

const call = (offset: number, fields: Partial<ChartCall> = {}): ChartCall => ({
  messageKey: `a${offset}`,
  offset,
  turn: Math.floor(offset / 2) + 1,
  time: null,
  model: 'gemini-2.5-pro',
  usage: { input: 1_000 * (offset + 1), cached: 0, output: 0, thoughts: 0, tool: 0 },
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

test('the tokens of a request are stacked from the ground: cached, new, output, thinking', () => {
  const usage = { input: 800, cached: 600, output: 150, thoughts: 50, tool: 0 }
  const { stacks } = draw([call(0, { usage }), call(1, { usage: null })])
  const height = STRIP.ground - STRIP.top
  const y = (share: number) => Math.round((STRIP.ground - share * height) * 10) / 10
  expect(stacks).toEqual({
    cached: `M0 ${y(0)}V${y(0.6)}h199V${y(0)}z`,
    fresh: `M0 ${y(0.6)}V${y(0.8)}h199V${y(0.6)}z`,
    output: `M0 ${y(0.8)}V${y(0.95)}h199V${y(0.8)}z`,
    thoughts: `M0 ${y(0.95)}V${y(1)}h199V${y(0.95)}z`,
    tooluse: '',
  })
})

test('the context line breaks where it was compressed, and leaves out what was rewound, which is faded', () => {
  const { contextPaths, compressions, superseded } = draw(
    [call(0), call(1), call(2, { superseded: 'rewound' }), call(3)],
    [3],
  )
  expect(contextPaths).toEqual(['M50 31.5L150 26', `M350 ${STRIP.top}`])
  expect(compressions).toEqual([300])
  expect(superseded).toBe(`M200 ${STRIP.ground}V20.5h99V${STRIP.ground}z`)
})

test('failures, turns and the higher rate are where they belong', () => {
  const geometry = draw([call(0), call(1, { failed: true }), call(2), call(3)])
  expect(geometry.failures).toEqual([150])
  expect(geometry.turns.map(({ x, number, hasRoom }) => [x, number, hasRoom])).toEqual([
    [0, 1, true],
    [200, 2, true],
  ])
  const many = Array.from({ length: 66 }, (_, turn) => call(turn * 2))
  const numbered = draw(many, [], 1_237).turns.filter(({ hasRoom }) => hasRoom)
  expect(numbered.map(({ number }) => number)).toEqual([1, 20, 40, 60])
  expect(draw([call(0), call(2)], [], 20).turns.map(({ hasRoom }) => hasRoom)).toEqual([true, false])
  expect(geometry.tierY).toBeNull()
  expect(draw([call(0), call(150_000)]).tierY).not.toBeNull()
})

test('a place of the drawing leads to its bar, and a place of the session to the last request up to it', () => {
  const geometry = draw([call(0), call(1), call(4), call(9)])
  expect([barAt(geometry, 399), barAt(geometry, 400), barAt(geometry, -1)]).toEqual([3, 3, 0])
  expect([0, 3, 4, 8, 99].map((offset) => barOf(geometry.bars, offset))).toEqual([0, 1, 2, 2, 3])
})
