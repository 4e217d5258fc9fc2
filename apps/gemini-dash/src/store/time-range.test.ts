import { describe, expect, it } from 'vitest'
import { timeRange, withMoments } from './times.ts'

const NOW_MS = Date.parse('2026-11-26T13:48:00.000Z')
const asked = (from: string, tz: string, to?: string) => withMoments({ from, tz, to }, NOW_MS)

describe('T4: a question with moments for its spans', () => {
  it('means days of its zone, and is the same all day long', () => {
    expect(asked('7d', 'Europe/Vienna').from).toBe('2026-11-19T23:00:00.000Z')
    expect(withMoments({ from: '7d', tz: 'UTC' }, NOW_MS + 3_600_000)).toEqual(asked('7d', 'UTC'))
    expect(asked('14d', 'UTC', '7d')).toMatchObject({
      from: '2026-11-13T00:00:00.000Z',
      to: '2026-11-20T00:00:00.000Z',
    })
  })

  it('is unchanged without from and to', () => {
    const query = { tz: 'UTC', project: 'shop' }
    expect(withMoments(query, NOW_MS)).toBe(query)
  })

  it.each(['7d', '12h', '2026-11-21', '2026-11', '2026-11-21T10:00', '9999y', '+275760-09-13'])(
    'means the same range as before: %s',
    (from) => {
      for (const zone of ['UTC', 'Asia/Kolkata', 'America/Los_Angeles'])
        expect(timeRange(asked(from, zone), zone)).toEqual(timeRange({ from }, zone, NOW_MS))
    },
  )
})
