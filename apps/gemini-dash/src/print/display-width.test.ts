import { expect, test } from 'vitest'
import { displayWidth, fitWidth } from './display-width.ts'

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
