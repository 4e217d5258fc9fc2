import { expect, test } from 'vitest'
import { toSearchRequest } from './search.tsx'

test('a day is asked for from its beginning to the beginning of the next', () => {
  expect(toSearchRequest({ q: 'x', day: '2026-10-31' })).toEqual({
    q: 'x',
    from: '2026-10-31',
    to: '2026-11-01',
  })
})

test('a time is the days up to today, or own ones; one day goes before it', () => {
  const now = new Date('2026-11-24T12:00:00')
  const asked = (search: object) => {
    const { from, to } = toSearchRequest({ q: 'x', ...search }, now)
    return [from, to]
  }
  expect(asked({ range: 'today' })).toEqual(['2026-11-24', undefined])
  expect(asked({ range: '7d' })).toEqual(['2026-11-18', undefined])
  expect(asked({ from: '2026-01-01', to: '2026-02-01' })).toEqual(['2026-01-01', '2026-02-01'])
  expect(asked({ range: '7d', day: '2026-11-20' })).toEqual(['2026-11-20', '2026-11-21'])
})

test('blanks around the words do not make another question', () => {
  expect(toSearchRequest({ q: '  price rounding ' }).q).toBe('price rounding')
  expect(toSearchRequest({}).q).toBeUndefined()
})
