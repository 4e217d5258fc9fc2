import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, foldTextOnly } from './fold-text.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })

describe('foldText', () => {
  it.each([
    ['Straße', 'strasse'],
    ['Ünïcödé', 'unicode'],
    ['ＡＢＣ１２', 'abc12'],
    ['ﾊﾟｿｺﾝ', 'パソコン'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['İstanbul ılık', 'istanbul ilik'],
    ['e\u0301te\u0301', 'ete'],
    ['zero\u200bwidth', 'zerowidth'],
    ['한글', '한글'],
    ['한글', '한글'],
    ['が', 'が'],
  ])('folds %s to %s', (original, folded) => {
    expect(foldTextOnly(original)).toBe(folded)
  })

  it('gives the same text with and without offsets, and nothing new when folded again', () => {
    fc.assert(
      fc.property(anyText, (original) => {
        const folded = foldText(original).text
        expect(foldTextOnly(original)).toBe(folded)
        expect(foldTextOnly(folded)).toBe(folded)
      }),
    )
  })

  it('finds any stretch of the original again, wherever characters change their number', () => {
    const piece = fc.constantFrom(
      'a',
      'Z',
      ' ',
      'ß',
      'ﬃ',
      'é',
      'e\u0301',
      '中',
      '😀',
      '½',
      '\u200b',
      'ﾊﾟ',
      '…',
    )
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.array(piece, { minLength: 1 }),
        fc.array(piece),
        (before, middle, after) => {
          const original = [...before, '|', ...middle, '|', ...after].join('')
          const folded = foldText(original)
          const start = folded.text.indexOf('|') + 1
          const end = folded.text.indexOf('|', start)
          const found = original.slice(folded.startInOriginal(start), folded.endInOriginal(end))
          expect(foldTextOnly(found)).toBe(foldTextOnly(middle.join('')))
        },
      ),
    )
  })

  it('takes a joined character whole', () => {
    const folded = foldText('a ﬁne day')
    expect([folded.startInOriginal(3), folded.endInOriginal(3)]).toEqual([2, 3])
    const accented = foldText('cafe\u0301!')
    expect(accented.endInOriginal(4)).toBe(5)
  })
})
