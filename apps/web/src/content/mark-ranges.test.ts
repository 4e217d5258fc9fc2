import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hitTerms } from './hit-terms.ts'
import { hasHit, markRanges } from './mark-ranges.ts'

describe('the words of a query', () => {
  test.each([
    ['rounding error', ['rounding', 'error']],
    ['"exact phrase" word', ['exact phrase', 'word']],
    ['word -not OR other', ['word', 'other']],
    ['project:webshop tool:replace cart', ['cart']],
    ['https://example.org/x', ['https://example.org/x']],
    ['prefix*', ['prefix']],
    ['世界', ['世界']],
    ['', []],
  ])('%s', (query, terms) => {
    expect(hitTerms(query)).toEqual(terms)
  })
})

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
