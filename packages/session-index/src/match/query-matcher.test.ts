import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexSearchRequest } from '../index-search.ts'
import { queryMatcher } from './query-matcher.ts'

function found(mode: IndexSearchRequest['mode'], query: string, text: string): string[] {
  const ranges = queryMatcher({ mode, text: query }).matcher?.ranges(text, 100) ?? []
  return ranges.map(([start, end]) => text.slice(start, end))
}

describe('queryMatcher', () => {
  it('finds whole words and phrases, not pieces of words', () => {
    expect(found('words', 'frame', 'Frames frame FRAME, iframe')).toEqual(['frame', 'FRAME'])
    expect(found('words', 'get_coffset', 'x = get_coffset(1); getcoffset')).toEqual(['get_coffset'])
    expect(found('words', '"frame get" get', 'a frame get get')).toEqual(['frame get', 'get'])
  })

  it('finds CJK from one character, and accents and width do not matter', () => {
    expect(found('words', '京', '東京タワー')).toEqual(['京'])
    expect(found('words', '京タ', '東京タワー')).toEqual(['京タ'])
    expect(found('words', 'pasokon パソコン', '私のﾊﾟｿｺﾝです')).toEqual(['ﾊﾟｿｺﾝ'])
    expect(found('words', 'resume', 'Résumé, re\u0301sume\u0301!')).toEqual(['Résumé', 're\u0301sume\u0301'])
  })

  it('finds substrings inside words, in any case', () => {
    expect(found('substring', 'rice.', 'src/Price.js')).toEqual(['rice.'])
    expect(found('substring', 'ss', 'Straße class')).toEqual(['ß', 'ss'])
    expect(found('substring', 'f', 'ﬃ')).toEqual(['ﬃ'])
  })

  it('finds what a regular expression describes, in linear time', () => {
    expect(found('regex', 'E-\\d+', 'E-12 and e-13, E-x')).toEqual(['E-12'])
    expect(found('regex', '(?i)^todo.*$', 'a\nTODO one\ntodo two')).toEqual(['TODO one', 'todo two'])
    expect(found('regex', 'a*', 'bab')).toEqual(['a'])
    expect(found('regex', '^(a+)+$', `${'a'.repeat(30_000)}!`)).toEqual([])
  })

  it('takes an expression that cannot be read literally, and says so', () => {
    expect(found('regex', 'foo(', 'call foo(1)')).toEqual(['foo('])
    expect(queryMatcher({ mode: 'regex', text: 'foo(' }).notes).toHaveLength(1)
  })

  it('has a note instead of a matcher for an empty query', () => {
    for (const mode of ['words', 'substring', 'regex'] as const) {
      expect(queryMatcher({ mode, text: ' ' })).toMatchObject({ matcher: null, notes: [expect.any(String)] })
    }
  })

  it('never throws and only gives ordered ranges within the text', () => {
    const mode = fc.constantFrom('words', 'substring', 'regex')
    const anyText = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(mode, anyText, anyText, (mode, query, text) => {
        let last = 0
        for (const [start, end] of queryMatcher({ mode, text: query }).matcher?.ranges(text + query, 50) ??
          []) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          last = end
        }
        expect(last).toBeLessThanOrEqual(text.length + query.length)
      }),
      { numRuns: 200 },
    )
  })
})
