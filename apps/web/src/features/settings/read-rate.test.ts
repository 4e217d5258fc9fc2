import { expect, test } from 'vitest'
import { readRate } from './prices.tsx'

test.each([
  ['1.25', 1.25],
  [' $0,075 ', 0.075],
  ['0', 0],
  ['0.12345', 0.12345],
  ['', undefined],
  ['  ', undefined],
  ['0.123456', null],
  ['-1', null],
  ['1e3', null],
  ['free', null],
])('%j is a price of %s dollars', (text, usd) => {
  expect(readRate(text)).toBe(usd)
})
