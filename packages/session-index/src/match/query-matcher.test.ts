import { foldTextOnly } from '@gemini-dash/api/fold-text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchRequest } from '../../test/search-request.ts'
import type { IndexSearchRequest } from '../contract.ts'
import { queryMatcher, substringMatcher } from './query-matcher.ts'

async function found(mode: IndexSearchRequest['mode'], query: string, text: string): Promise<string[]> {
  const { matcher } = await queryMatcher(searchRequest(query, { mode }))
  const ranges = matcher?.ranges(text, 100) ?? []
  return ranges.map(([start, end]) => text.slice(start, end))
}

const notesOf = async (pattern: string) =>
  (await queryMatcher(searchRequest(pattern, { mode: 'regex' }))).notes

describe('queryMatcher', () => {
  it('finds whole words and phrases, not pieces of words', async () => {
    expect(await found('words', 'frame', 'Frames frame FRAME, iframe')).toEqual(['frame', 'FRAME'])
    expect(await found('words', 'get_coffset', 'x = get_coffset(1); getcoffset')).toEqual(['get_coffset'])
    expect(await found('words', '"frame get" get', 'a frame get get')).toEqual(['frame get', 'get'])
  })

  it('finds CJK from one character, and accents and width do not matter', async () => {
    expect(await found('words', '京', '東京タワー')).toEqual(['京'])
    expect(await found('words', '京タ', '東京タワー')).toEqual(['京タ'])
    expect(await found('words', 'pasokon パソコン', '私のﾊﾟｿｺﾝです')).toEqual(['ﾊﾟｿｺﾝ'])
    expect(await found('words', 'resume', 'Résumé, re\u0301sume\u0301!')).toEqual([
      'Résumé',
      're\u0301sume\u0301',
    ])
  })

  it('finds substrings inside words, in any case', async () => {
    expect(await found('substring', 'rice.', 'src/Price.js')).toEqual(['rice.'])
    expect(await found('substring', 'ss', 'Straße class')).toEqual(['ß', 'ss'])
    expect(await found('substring', 'f', 'ﬃ')).toEqual(['ﬃ'])
  })

  it('finds what a regular expression describes, in linear time', async () => {
    expect(await found('regex', 'E-\\d+', 'E-12 and e-13, E-x')).toEqual(['E-12', 'e-13'])
    expect(await found('regex', '(?-i)E-\\d+', 'E-12 and e-13, E-x')).toEqual(['E-12'])
    expect(await found('regex', '^todo.*$', 'a\nTODO one\ntodo two')).toEqual(['TODO one', 'todo two'])
    expect(await found('regex', 'a*', 'bab')).toEqual(['a'])
    expect(await found('regex', '^(a+)+$', `${'a'.repeat(30_000)}!`)).toEqual([])
  })

  it('N11: composed and decomposed text are the same in every mode', async () => {
    const decomposed = '학점.정리, Übersicht, e\u0301te\u0301'.normalize('NFD')
    for (const mode of ['words', 'substring', 'regex'] as const)
      for (const query of ['학점', 'Übersicht', 'été', '학점'.normalize('NFD')])
        expect(await found(mode, query, decomposed)).toEqual([query.normalize('NFD')])
    expect(await found('regex', '학점.정', decomposed)).toEqual(['학점.정'.normalize('NFD')])
    expect(await found('regex', '^..', decomposed)).toEqual(['학점'.normalize('NFD')])
  })

  it('takes an expression that cannot be read literally, and says so', async () => {
    expect(await found('regex', 'foo(', 'call foo(1)')).toEqual(['foo('])
    expect(await notesOf('foo(')).toEqual([expect.stringContaining('(missing closing ): `foo(`)')])
    expect(await notesOf('a(?!b)')).toEqual([expect.stringContaining('look-around is not supported')])
    expect(await notesOf('(a)\\1')).toEqual([expect.stringContaining('back-references are not supported')])
  })

  it('has a note instead of a matcher for an empty query', async () => {
    for (const mode of ['substring', 'regex'] as const) {
      expect(await queryMatcher(searchRequest(' ', { mode }))).toMatchObject({
        matcher: null,
        notes: [expect.any(String)],
      })
    }
  })

  it('tells that a substring is there just where the folded text has it', async () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      'fi',
      'ﬁ',
      'é',
      'e\u0301',
      'K',
      '中',
      '(',
      '.',
      '\n',
      'か',
      '\u3099',
    )
    const anyText = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyText, async (query, before, after) => {
        const needle = foldTextOnly(query)
        fc.pre(needle.trim() !== '')
        for (const text of [before, before + query + after]) {
          expect(substringMatcher(query)?.isIn(text)).toBe(foldTextOnly(text).includes(needle))
        }
      }),
    )
  })

  it('never throws and only gives ordered ranges within the text', async () => {
    const mode = fc.constantFrom('words', 'substring', 'regex')
    const anyText = fc.string({ unit: 'binary', maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(mode, anyText, anyText, async (mode, query, text) => {
        let last = 0
        const { matcher } = await queryMatcher(searchRequest(query, { mode }))
        for (const [start, end] of matcher?.ranges(text + query, 50) ?? []) {
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
