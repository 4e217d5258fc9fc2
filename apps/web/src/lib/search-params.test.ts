import { describe, expect, test } from 'vitest'
import { readFindSearch, readListSearch, readUsageSearch } from './page-searches.ts'
import { plainSearchCodec } from './search-params.ts'

describe('plainSearchCodec', () => {
  test('keeps what was typed as text', () => {
    const search = plainSearchCodec.parseSearch('?q=123&mode=true')
    expect(search).toEqual({ q: '123', mode: 'true' })
  })

  test('writes only what is set, and reads back what it wrote', () => {
    const text = plainSearchCodec.stringifySearch({ q: 'a&b=ü 料', sort: undefined, model: '' })
    expect(text).toBe('?q=a%26b%3D%C3%BC+%E6%96%99')
    expect(plainSearchCodec.parseSearch(text)).toEqual({ q: 'a&b=ü 料' })
    expect(plainSearchCodec.stringifySearch({})).toBe('')
  })
})

describe('readers of addresses', () => {
  test('take what is of its form', () => {
    expect(
      readListSearch({ q: 'x', range: '7d', has: 'errors', sort: 'cost', model: 'gemini-2.5-pro' }),
    ).toEqual({
      q: 'x',
      range: '7d',
      has: 'errors',
      sort: 'cost',
      model: 'gemini-2.5-pro',
    })
    expect(
      readFindSearch({ q: 'x', in: 'thought,prompt', day: '2026-11-21', mode: 'regex', pages: '3' }),
    ).toMatchObject({
      in: 'prompt,thought',
      day: '2026-11-21',
      mode: 'regex',
      pages: 3,
    })
    expect(readUsageSearch({ unit: 'week', table: 'sky' })).toEqual({ unit: 'week' })
  })

  test('count anything else as absent, so that a hand-edited address still opens', () => {
    expect(
      Object.values(readListSearch({ range: 'century', has: 'luck', sort: 'up', q: '' })),
    ).not.toContainEqual(expect.anything())
    for (const pages of ['1', '0', '-2', '2.5', 'many', ''])
      expect(
        Object.values(readFindSearch({ in: 'sky', day: '21 Nov', mode: 'fuzzy', pages })),
      ).not.toContainEqual(expect.anything())
    expect(Object.values(readUsageSearch({ range: 3, metric: ['cost'] }))).not.toContainEqual(
      expect.anything(),
    )
  })
})
