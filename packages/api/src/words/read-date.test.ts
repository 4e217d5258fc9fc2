import { describe, expect, it, test } from 'vitest'
import { firstDayOf, readDate } from './read-date.ts'

const NOW_MS = Date.parse('2026-11-26T13:48:00.000Z')
const at = (text: string, zone = 'UTC', nowMs = NOW_MS) => {
  const timeMs = readDate(text, { zone, nowMs })
  return timeMs === null ? null : new Date(timeMs).toISOString()
}

describe('T4: a span of days', () => {
  test.each([
    ['1d', '2026-11-26'],
    ['7d', '2026-11-20'],
    ['-7d', '2026-11-20'],
    ['7D', '2026-11-20'],
    ['1w', '2026-11-20'],
    ['30d', '2026-10-28'],
    ['1m', '2026-10-27'],
    ['1y', '2025-11-27'],
  ])('%s has today in it, and begins with %s', (span, day) => {
    expect([at(span), firstDayOf(span, '2026-11-26')]).toEqual([`${day}T00:00:00.000Z`, day])
  })

  it('has the days of the reader’s zone, whatever time of the day it is', () => {
    expect(at('7d', 'Asia/Kolkata')).toBe('2026-11-19T18:30:00.000Z')
    expect(at('7d', 'Pacific/Auckland')).toBe('2026-11-20T11:00:00.000Z')
    expect(at('7d', 'America/Los_Angeles', Date.parse('2026-11-26T07:59:59Z'))).toBe(
      '2026-11-19T08:00:00.000Z',
    )
    for (const time of ['00:00:00.000', '23:59:59.999'])
      expect(at('7d', 'UTC', Date.parse(`2026-11-26T${time}Z`))).toBe('2026-11-20T00:00:00.000Z')
  })

  it('begins with the first midnight also where the clocks have changed since', () => {
    expect(at('7d', 'Europe/Vienna', Date.parse('2026-10-27T10:00:00Z'))).toBe('2026-10-20T22:00:00.000Z')
    // 6 September had no midnight there
    expect(at('3d', 'America/Santiago', Date.parse('2026-09-08T12:00:00Z'))).toBe('2026-09-06T04:00:00.000Z')
  })

  it('two of them follow each other without a day between', () => {
    expect([at('14d'), at('7d')]).toEqual(['2026-11-13T00:00:00.000Z', '2026-11-20T00:00:00.000Z'])
  })

  it('of hours counts back from now', () => {
    expect([at('12h'), at('-36h')]).toEqual(['2026-11-26T01:48:00.000Z', '2026-11-25T01:48:00.000Z'])
    expect(firstDayOf('12h', '2026-11-26')).toBeNull()
  })

  test.each(['0d', 'd', '7', '7x', '7dd', '12345d', '--7d', '+7d'])('%s is none', (text) => {
    expect(firstDayOf(text, '2026-11-26')).toBeNull()
  })
})

test('a year of more than four digits, or before the first one, is read as a Date writes it', () => {
  const longAgo = at('9999y') ?? ''
  expect([longAgo.slice(0, 7), at(longAgo)]).toEqual(['-007973', longAgo])
  expect([at('0000'), at('0000-01-01'), at('0000-01-01T00:00:00Z')]).toEqual([null, null, null])
  expect(at('+275760-09-13T00:00:00.000Z')).toBe('+275760-09-13T00:00:00.000Z')
  expect(at('+012026-01-02')).toBe('+012026-01-02T00:00:00.000Z')
})
