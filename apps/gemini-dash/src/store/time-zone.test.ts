import { describe, expect, it } from 'vitest'
import { localDay, startOfTime } from './times.ts'

describe('the day of an instant', () => {
  it('is the day in the reader’s zone, not in UTC', () => {
    expect(localDay('2026-11-21T23:30:00.000Z', 'Europe/Vienna')).toBe('2026-11-22')
    expect(localDay('2026-11-21T02:00:00.000Z', 'America/New_York')).toBe('2026-11-20')
  })

  it('is right in zones with half and quarter hours', () => {
    expect(localDay('2026-11-21T18:29:59.000Z', 'Asia/Kolkata')).toBe('2026-11-21')
    expect(localDay('2026-11-21T18:30:00.000Z', 'Asia/Kolkata')).toBe('2026-11-22')
    expect(localDay('2026-11-21T18:15:00.000Z', 'Asia/Kathmandu')).toBe('2026-11-22')
  })

  it('is right before and after the clocks change within it', () => {
    const days = [
      '2026-03-28T22:59:59Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ]
    expect(days.map((time) => localDay(time, 'Europe/Vienna'))).toEqual([
      '2026-03-28',
      '2026-03-29',
      '2026-03-29',
      '2026-03-30',
    ])
  })

  it('is known for any time that can be written', () => {
    expect(localDay('+275760-09-13T00:00:00.000Z', 'UTC')).toBe('+275760-09-13')
    expect(localDay('+275760-09-13T00:00:00.000Z', 'Asia/Tokyo')).toBe('unknown')
  })

  it('is "unknown" for a time that cannot be read', () => {
    expect(localDay('soon', 'UTC')).toBe('unknown')
  })
})

describe('a bare date', () => {
  it('begins at its midnight in the zone', () => {
    expect(startOfTime('2026-11-21', 'Europe/Vienna')).toBe(Date.parse('2026-11-20T23:00:00Z'))
    expect(startOfTime('2026-11-21', 'UTC')).toBe(Date.parse('2026-11-21T00:00:00Z'))
  })

  it('begins right on the days on which the clocks change', () => {
    expect(startOfTime('2026-03-29', 'Europe/Vienna')).toBe(Date.parse('2026-03-28T23:00:00Z'))
    expect(startOfTime('2026-03-30', 'Europe/Vienna')).toBe(Date.parse('2026-03-29T22:00:00Z'))
    expect(startOfTime('2026-11-01', 'America/New_York')).toBe(Date.parse('2026-11-01T04:00:00Z'))
  })

  it('begins at the jump where its midnight does not exist, and at the first of two', () => {
    expect(startOfTime('2026-09-06', 'America/Santiago')).toBe(Date.parse('2026-09-06T04:00:00Z'))
    expect(startOfTime('2026-04-24', 'Africa/Cairo')).toBe(Date.parse('2026-04-23T22:00:00Z'))
    expect(startOfTime('2026-11-01', 'America/Havana')).toBe(Date.parse('2026-11-01T04:00:00Z'))
    expect(startOfTime('2011-12-31', 'Pacific/Apia')).toBe(Date.parse('2011-12-30T10:00:00Z'))
  })

  it('leaves full instants alone', () => {
    expect(startOfTime('2026-11-21T10:00:00Z', 'Asia/Tokyo')).toBe(Date.parse('2026-11-21T10:00:00Z'))
  })
})
