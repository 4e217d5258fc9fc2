import { expect, test } from 'vitest'
import { startOfDay } from '../../lib/figures/format.ts'
import { timeAxis } from './time-axis.ts'
import { timeTicks } from './time-ticks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WHOLE = { from: 0, to: 1 }
const WIDTH = 900
/** Eleven seconds past half past eight in the evening, in whatever zone. */
const START = startOfDay('2026-03-10').getTime() + 20.5 * HOUR + 11_000

function evenAxis(wallMs: number) {
  return timeAxis([], wallMs)
}

test('ticks stand at round times, not at round distances from the start', () => {
  const labels = timeTicks(evenAxis(30 * MINUTE), WHOLE, START, WIDTH).map(({ label }) => label)
  expect(labels).toEqual(['20:35', '20:40', '20:45', '20:50', '20:55'])
})

test('who zooms in reads seconds', () => {
  const window = { from: 0.5, to: 0.51 }
  const ticks = timeTicks(evenAxis(30 * MINUTE), window, START, WIDTH)
  expect(ticks[0]?.label).toBe('20:45:12')
  expect(ticks.every(({ x }) => x >= 0 && x <= WIDTH)).toBe(true)
})

test('labels never lie on each other', () => {
  for (const wallMs of [3_000, 70_000, 17 * MINUTE, 5 * HOUR, 70 * HOUR, 4_000 * HOUR]) {
    const ticks = timeTicks(evenAxis(wallMs), WHOLE, START, WIDTH)
    expect(ticks.length).toBeGreaterThan(1)
    ticks.reduce((last, tick) => {
      expect(tick.x - last.x).toBeGreaterThan(last.label.length * 6)
      return tick
    })
  }
})

test('another day is named once', () => {
  const labels = timeTicks(evenAxis(6 * HOUR), WHOLE, START, WIDTH).map(({ label }) => label)
  expect(labels.filter((label) => label.startsWith('11 Mar'))).toHaveLength(1)
  expect(labels.at(-1)).toMatch(/^0\d:\d0$/)
})

test('a long wait has no ticks, and what comes after it is on the clock again', () => {
  const wait = { kind: 'you', startMs: 2 * MINUTE, endMs: 10 * HOUR } as const
  const axis = timeAxis([wait], 10 * HOUR + 2 * MINUTE)
  const ticks = timeTicks(axis, WHOLE, START, WIDTH)
  expect(ticks.every(({ ms }) => ms <= wait.startMs || ms >= wait.endMs)).toBe(true)
  // a day of another year has its year
  expect(ticks.some(({ label }) => /^11 Mar(?: 2026)?, 06:3/.test(label))).toBe(true)
})
