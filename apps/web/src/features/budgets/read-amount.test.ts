import { expect, test } from 'vitest'
import { readAmount } from './budget-panel.tsx'

test.each([
  ['20', 20],
  [' $12.50 ', 12.5],
  ['12,5', 12.5],
])('%j is an amount', (text, usd) => {
  expect(readAmount(text)).toBe(usd)
})

// ambiguous: a thousand or one
test.each(['', '0', '-5', '1,000', '1e3', 'twenty', '3.999'])('%j is none', (text) => {
  expect(readAmount(text)).toBeNull()
})
