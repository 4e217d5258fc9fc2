import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutApart, displayWidth, fitWidth, wrapText } from './paint.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['日本', 4],
  ['한국', 4],
  ['ｆｕｌｌ', 8],
  ['👩‍👩‍👧', 2],
  ['🇦🇹', 2],
  ['❤️', 2],
  ['→', 1],
])('"%s" is %i columns wide', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

test('a character is never cut', () => {
  expect(fitWidth('日本語', 4)).toBe('日…')
  expect(fitWidth('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…')
})

test('of texts that differ, none is cut to what another is cut to', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '日', ' '), maxLength: 30 })
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 8 }), fc.integer({ min: 12, max: 20 }), (texts, columns) => {
      const cut = cutApart(texts, columns)
      expect(new Set(cut).size).toBe(new Set(texts).size)
      for (const text of cut) expect(displayWidth(text)).toBeLessThanOrEqual(columns)
    }),
  )
})

test('lines are broken between words, and keep their indent', () => {
  expect(wrapText('  one two three\nfour', 10)).toBe('  one two\n  three\nfour')
  expect(wrapText('  averyveryverylongword x', 10)).toBe('  averyveryverylongword\n  x')
})
