import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasHit, markRanges } from './machine-text.tsx'

describe('hits in a text', () => {
  test('are cut out, whatever their case and accents', () => {
    expect(markRanges('Café and CAFE', ['cafe'])).toEqual([
      { text: 'Café', isHit: true },
      { text: ' and ', isHit: false },
      { text: 'CAFE', isHit: true },
    ])
  })

  test('the longest term wins where two begin', () => {
    expect(markRanges('rounding', ['round', 'rounding'])).toEqual([{ text: 'rounding', isHit: true }])
  })

  test('signs of regular expressions are literal', () => {
    expect(hasHit('total(items)', ['total('])).toBe(true)
    expect(hasHit('total', ['t.tal'])).toBe(false)
  })

  test('a word is marked where it stands whole, a piece of a text anywhere', () => {
    const hits = (text: string, term: Parameters<typeof markRanges>[1][number]) =>
      markRanges(text, [term]).flatMap(({ text, isHit }) => (isHit ? [text] : []))
    expect(hits('test, testing, Test_case, latest', { word: 'test' })).toEqual(['test', 'Test'])
    expect(hits('test, testing, latest', 'test')).toEqual(['test', 'test', 'test'])
    expect(hits('全世界的test', { word: '世界' })).toEqual(['世界'])
    expect(hits('全世界的test', { word: 'test' })).toEqual(['test'])
    expect(hits('out of\n  range', { word: 'of range' })).toEqual(['of\n  range'])
  })

  test('a word beside an escape of JSON is still seen', () => {
    expect(hasHit(JSON.stringify('one\ntwo'), [{ word: 'two' }])).toBe(true)
  })

  test('the pieces joined are the text, for any text and term', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.string({ unit: 'grapheme' })),
        (text, terms) => {
          const pieces = markRanges(text, terms)
          expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        },
      ),
    )
  })
})

test('E3: what the search takes for the same is marked whole: ß is ss, a joined letter is its parts, an accent may stand apart', () => {
  const hits = (text: string, term: string) =>
    markRanges(text, [term]).flatMap((piece) => (piece.isHit ? [piece.text] : []))
  expect(hits('die Straße und die STRASSE', 'strasse')).toEqual(['Straße', 'STRASSE'])
  expect(hits('an o\ufb03ce', 'office')).toEqual(['o\ufb03ce'])
  expect(hits('a cafe\u0301 here', 'cafe')).toEqual(['cafe\u0301'])
  expect(
    markRanges('x \ufb03 y', ['ff', 'i'])
      .map(({ text }) => text)
      .join(''),
  ).toBe('x \ufb03 y')
})
