import fc from 'fast-check'
import type { WaitStretch } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { timeAxis } from './time-axis.ts'

const MINUTE = 60_000

/** Stretches of these lengths, one after the other. */
function stretchesOf(lengths: readonly number[]): WaitStretch[] {
  let endMs = 0
  return lengths.map((length) => {
    const startMs = endMs
    endMs += length
    return { kind: 'you', startMs, endMs }
  })
}

it('runs evenly where no wait is long', () => {
  const axis = timeAxis(stretchesOf([30_000, 30_000]), MINUTE)
  expect(axis.breaks).toEqual([])
  expect(axis.toShare(15_000)).toBe(0.25)
})

it('draws a night as a short break, so that the work on both sides can be seen', () => {
  const [before, night, after] = [2 * MINUTE, 600 * MINUTE, 2 * MINUTE]
  const axis = timeAxis(stretchesOf([50_000, before, night, after]), 50_000 + before + night + after)
  expect(axis.breaks).toContainEqual({
    kind: 'you',
    startMs: 50_000 + before,
    endMs: 50_000 + before + night,
  })
  expect(axis.toShare(50_000)).toBeGreaterThan(0.1)
})

it('finds every moment again, and never turns back', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 500 * MINUTE }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(lengths, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (each, shares) => {
      const wallMs = each.reduce((sum, length) => sum + length, 0)
      const axis = timeAxis(stretchesOf(each), wallMs)
      expect(axis.toShare(0)).toBe(0)
      expect(axis.toShare(wallMs)).toBeCloseTo(1)
      const moments = shares.map((share) => share * wallMs).sort((a, b) => a - b)
      let last = 0
      for (const ms of moments) {
        const share = axis.toShare(ms)
        expect(share).toBeGreaterThanOrEqual(last)
        expect(Math.abs(axis.toMs(share) - ms)).toBeLessThan(1)
        last = share
      }
    }),
  )
})
