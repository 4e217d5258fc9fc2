import { expect, test } from 'vitest'
import { toSearchRequest } from './to-search-request.ts'

test('a day is asked for from its beginning to the beginning of the next', () => {
  expect(toSearchRequest({ q: 'x', day: '2026-10-31' })).toEqual({
    q: 'x',
    from: '2026-10-31',
    to: '2026-11-01',
  })
})

test('blanks around the words do not make another question', () => {
  expect(toSearchRequest({ q: '  price rounding ' }).q).toBe('price rounding')
  expect(toSearchRequest({}).q).toBeUndefined()
})
