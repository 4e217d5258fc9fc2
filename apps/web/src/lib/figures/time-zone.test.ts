import { afterEach, describe, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** The functions as a page in this zone has them: formats are made once. */
async function pageIn(zone: string) {
  vi.stubEnv('TZ', zone)
  vi.resetModules()
  const [format, ranges, { zoneChoice }, { sessionSpan }] = await Promise.all([
    import('./format.ts'),
    import('./day-range.ts'),
    import('./time-zone.ts'),
    import('../../features/session-head/session-span.ts'),
  ])
  return { ...format, ...ranges, zoneChoice, sessionSpan }
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
    const { lastDays, daysBetween, startOfDay, dayOf } = await pageIn(zone)
    const days = lastDays(60, new Date(Date.parse(lastMoment) + 20 * 86_400_000))
    expect(new Set(days).size).toBe(60)
    expect(days).toContain(day)
    expect(daysBetween(days[0] ?? '', days[59] ?? '', 100)).toEqual(days)
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
      new RegExp(`^${Number(lastMoment.slice(8, 10))} `),
    )
    expect(formatZone(new Date(lastMoment))).toBe('UTC')
    expect(formatMoment(lastMoment)).toMatch(/UTC$/)
  })
})

test('a session during which clocks changed names both zones', async () => {
  const { sessionSpan, formatZone } = await pageIn('Europe/Vienna')
  const end = '2025-10-26T02:00:00Z'
  expect(sessionSpan('2025-10-25T21:30:00Z', end)).toBe(
    'Sat, 25 Oct 2025, 23:30 CEST to Sun, 26 Oct 2025, 03:00',
  )
  expect(formatZone(new Date(end))).toBe('CET')
  expect(sessionSpan('2025-11-01T09:00:00Z', '2025-11-01T10:00:00Z')).toBe('Sat, 1 Nov 2025, 10:00 to 11:00')
})

test('where midnight does not exist, the day begins at its first moment', async () => {
  const { startOfDay, dayOf } = await pageIn('America/Sao_Paulo')
  expect(startOfDay('2018-11-04').toISOString()).toBe('2018-11-04T03:00:00.000Z')
  expect(dayOf(startOfDay('2018-11-04'))).toBe('2018-11-04')
})
