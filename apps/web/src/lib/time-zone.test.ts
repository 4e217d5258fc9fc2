import { afterEach, describe, expect, test, vi } from 'vitest'
import { addDays } from './dates.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  // cached zone data must not leak into the next file
  vi.resetModules()
})

/** The functions with fresh caches in this zone: formatters are created once. */
async function pageIn(zone: string) {
  vi.stubEnv('TZ', zone)
  vi.resetModules()
  const [dates, { sessionSpan }] = await Promise.all([
    import('./dates.ts'),
    import('../features/session-head/session-span.ts'),
  ])
  return { ...dates, sessionSpan }
}

describe.each([
  ['America/New_York', '2025-11-02', '2025-11-03T04:59:59Z'],
  ['Europe/Vienna', '2025-10-26', '2025-10-26T22:59:59Z'],
  ['Pacific/Auckland', '2025-09-28', '2025-09-28T10:59:59Z'],
])('in %s, where clocks change on %s', (zone, day, lastMoment) => {
  test('that day ends at its own midnight', async () => {
    const { dayOf } = await pageIn(zone)
    expect(dayOf(new Date(lastMoment))).toBe(day)
    expect(dayOf(new Date(Date.parse(lastMoment) + 1_000)) > day).toBe(true)
  })

  test('no day around it is left out or counted twice', async () => {
    const { lastDays, startOfDay, dayOf } = await pageIn(zone)
    const days = lastDays(60, new Date(Date.parse(lastMoment) + 20 * 86_400_000))
    expect(new Set(days).size).toBe(60)
    expect(days).toContain(day)
    expect(days.map((each) => dayOf(startOfDay(each)))).toEqual(days)
  })

  test('yesterday is that day for the whole day after', async () => {
    const { formatDay } = await pageIn(zone)
    const after = Date.parse(lastMoment) + 1_000
    expect(formatDay(day, new Date(after))).toBe('Yesterday')
    expect(formatDay(day, new Date(after + 23 * 3_600_000))).toBe('Yesterday')
  })

  test('UTC, once chosen, holds for clocks, days and names', async () => {
    const { zoneChoice, formatClock, formatDate, dayOf, startOfDay, formatZone, formatMoment } =
      await pageIn(zone)
    expect(formatClock(lastMoment)).not.toBe(lastMoment.slice(11, 16))
    zoneChoice.set('utc')
    expect(formatClock(lastMoment, 'seconds')).toBe(lastMoment.slice(11, 19))
    expect(dayOf(new Date(lastMoment))).toBe(lastMoment.slice(0, 10))
    expect(startOfDay(day).toISOString()).toBe(`${day}T00:00:00.000Z`)
    expect(formatDate(lastMoment, new Date(lastMoment))).toMatch(
      new RegExp(` ${Number(lastMoment.slice(8, 10))}$`),
    )
    expect(formatZone(new Date(lastMoment))).toBe('UTC')
    expect(formatMoment(lastMoment)).toMatch(/UTC$/)
  })
})

test('a session during which clocks changed names both zones', async () => {
  const { sessionSpan, formatZone } = await pageIn('Europe/Vienna')
  const end = '2025-10-26T02:00:00Z'
  expect(sessionSpan('2025-10-25T21:30:00Z', end)).toBe(
    'Sat, Oct 25, 2025, 23:30 GMT+2 to Sun, Oct 26, 2025, 03:00',
  )
  expect(formatZone(new Date(end))).toBe('GMT+1')
  expect(sessionSpan('2025-11-01T09:00:00Z', '2025-11-01T10:00:00Z')).toBe('Sat, Nov 1, 2025, 10:00 to 11:00')
})

describe('a zone that is not that of the computer', () => {
  test.each([
    // zones whose clocks change on other dates, by half an hour, that have half-hour offsets, or change away from midnight UTC
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05', '2026-04-05T13:30:00.000Z', '01:59:59'],
    ['Asia/Kolkata', '2026-06-30T18:30:00Z', '2026-07-01', '2026-07-01T18:30:00.000Z', '00:00:00'],
    ['America/St_Johns', '2026-11-01T04:30:00Z', '2026-11-01', '2026-11-02T03:30:00.000Z', '01:00:00'],
    ['Asia/Kathmandu', '2026-01-01T18:14:59Z', '2026-01-01', '2026-01-01T18:15:00.000Z', '23:59:59'],
  ])('%s has its own days and clocks', async (zone, time, day, nextDay, clock) => {
    const { chosenZone, timeZone, dayOf, startOfDay, formatClock, formatZone } = await pageIn('Europe/Vienna')
    chosenZone.set(zone)
    expect(timeZone()).toBe(zone)
    expect(dayOf(new Date(time))).toBe(day)
    expect(startOfDay(addDays(day, 1)).toISOString()).toBe(nextDay)
    expect(dayOf(new Date(Date.parse(nextDay) - 1))).toBe(day)
    expect(formatClock(time, 'seconds')).toBe(clock)
    expect(formatZone(new Date(time))).not.toMatch(/CES?T/)
  })

  test('is gone back to from UTC, and its name may be written as people do', async () => {
    const { zoneChoice, chosenZone, ownTimeZone, timeZone, zonesLike } = await pageIn('Europe/Vienna')
    chosenZone.set('Asia/Tokyo')
    zoneChoice.set('utc')
    expect([timeZone(), ownTimeZone()]).toEqual(['UTC', 'Asia/Tokyo'])
    zoneChoice.set('own')
    expect(timeZone()).toBe('Asia/Tokyo')
    expect(zonesLike(' new york')).toEqual(['America/New_York'])
    expect(zonesLike('europe/vienna')).toEqual(['Europe/Vienna'])
    expect(zonesLike('Kolkata')).toEqual(['Asia/Kolkata'])
    expect(zonesLike('indiana').length).toBeGreaterThan(3)
    expect(zonesLike('atlantis')).toEqual([])
    for (const none of ['+05:30', 'Mars/Base', 'x'.repeat(9_999), '<b>', 'constructor'])
      expect(zonesLike(none)).toEqual([])
  })

  test('what is no zone is that of the computer', async () => {
    vi.stubGlobal('localStorage', { getItem: () => 'Middle-earth/Shire' })
    const { timeZone, formatClock } = await pageIn('Europe/Vienna')
    expect(timeZone()).toBe('Europe/Vienna')
    expect(formatClock('2026-01-01T00:00:00Z')).toBe('01:00')
  })
})

test('where midnight does not exist, the day begins at its first moment', async () => {
  const { startOfDay, dayOf } = await pageIn('America/Sao_Paulo')
  expect(startOfDay('2018-11-04').toISOString()).toBe('2018-11-04T03:00:00.000Z')
  expect(dayOf(startOfDay('2018-11-04'))).toBe('2018-11-04')
})
