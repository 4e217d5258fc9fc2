import { describe, expect, it } from 'vitest'
import { NO_COST } from '../model/usage.ts'
import { addCost } from './sums.ts'

const priced = (usd: number) => ({ usd, unpricedCalls: 0 })

describe('a sum of costs', () => {
  it('is exact where floating point sums are not', () => {
    expect(0.1 + 0.2).not.toBe(0.3)
    expect(addCost(priced(0.1), priced(0.2)).usd).toBe(0.3)
    const thousand = Array.from({ length: 1000 }, () => priced(0.00281))
    expect(thousand.reduce(addCost, NO_COST).usd).toBe(2.81)
  })

  it('stays within a billionth of a dollar over ten thousand sessions of ten dollars', () => {
    let sum = NO_COST
    let units = 0n
    for (let session = 0; session < 10_000; session++) {
      const own = (session * 7_919_777_777 + 123) % 2_000_000_000_000
      sum = addCost(sum, priced(own / 1e11))
      units += BigInt(own)
    }
    const usd = sum.usd ?? 0
    const whole = BigInt(Math.trunc(usd)) * 100_000_000_000n
    expect(units).toBeGreaterThan(99_000n * 100_000_000_000n)
    expect(Math.abs(Number(units - whole) / 1e11 - (usd - Math.trunc(usd)))).toBeLessThan(1e-9)
  })

  it('is unknown only while nothing in it is known, and counts what is not', () => {
    const unknown = { usd: null, unpricedCalls: 1 }
    expect(addCost(unknown, unknown)).toEqual({ usd: null, unpricedCalls: 2 })
    expect(addCost(unknown, priced(0.5))).toEqual({ usd: 0.5, unpricedCalls: 1 })
    expect(addCost(priced(0.5), unknown)).toEqual({ usd: 0.5, unpricedCalls: 1 })
  })
})
