import type { SessionCalls } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { CONTEXT_LAYOUT, contextGeometry, contextStepAt } from './context.tsx'

const WIDTH = CONTEXT_LAYOUT.left + CONTEXT_LAYOUT.right + 400

function callsOf(input: (number | null)[], fields: Partial<SessionCalls> = {}): SessionCalls {
  const zeros = input.map(() => 0)
  return {
    schemaVersion: 1,
    messageKeys: input.map((_, index) => `m${index}`),
    offsets: input.map((_, index) => index * 2),
    turns: input.map((_, index) => Math.floor(index / 2) + 1),
    times: input.map(() => null),
    models: [{ name: 'pro', contextWindow: null, higherRateAbove: 200_000 }],
    modelOf: zeros,
    input,
    cached: zeros,
    output: zeros,
    thoughts: zeros,
    tool: zeros,
    usd: zeros,
    atHigherRate: [],
    failed: [],
    superseded: [],
    ...fields,
  }
}

test('each recorded request is one step; what was not recorded has none', () => {
  const geometry = contextGeometry(callsOf([10, null, 20, 5]), [], WIDTH)
  expect(geometry.steps.map(({ index }) => index)).toEqual([0, 2, 3])
  expect(contextStepAt(geometry, CONTEXT_LAYOUT.left + geometry.step * 1.5)).toBe(1)
  expect(contextStepAt(geometry, CONTEXT_LAYOUT.left - 1)).toBeNull()
  expect(contextStepAt(geometry, WIDTH - 1)).toBeNull()
})

test('the higher rate is a line where the context comes near it', () => {
  expect(contextGeometry(callsOf([99_000]), [], WIDTH).higherRate).toBeNull()
  const near = contextGeometry(callsOf([150_000]), [], WIDTH)
  expect(near.higherRate).toEqual({ value: 200_000, y: CONTEXT_LAYOUT.top })
  const above = contextGeometry(callsOf([400_000]), [], WIDTH)
  expect(above.higherRate?.y).toBe((CONTEXT_LAYOUT.top + CONTEXT_LAYOUT.bottom) / 2)
})

test('a compression is where the first request after it begins, a turn where its first does', () => {
  const compression = { messageKey: 'm2', offset: 4, timestamp: null, inputBefore: 90, inputAfter: 12 }
  const geometry = contextGeometry(callsOf([50, 90, 12, 13]), [compression], WIDTH)
  expect(geometry.compressions).toEqual([{ x: geometry.steps[2]?.x, inputBefore: 90, inputAfter: 12 }])
  expect(geometry.turns).toEqual([
    { x: geometry.steps[0]?.x, number: 1 },
    { x: geometry.steps[2]?.x, number: 2 },
  ])
})
