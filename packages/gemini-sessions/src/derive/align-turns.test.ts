import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_COST, NO_USAGE } from '../model/issue.ts'
import type { Turn } from '../model/message.ts'
import { alignTurns, promptLikeness } from './compare.ts'

function turns(...prompts: string[]): Turn[] {
  return prompts.map((prompt, index) => ({
    number: index + 1,
    messageKey: `m${index}`,
    firstOffset: index,
    messageCount: 1,
    prompt,
    startTime: null,
    endTime: null,
    superseded: null,
    segment: 0,
    usage: NO_USAGE,
    cost: NO_COST,
    toolCalls: 0,
    toolErrors: 0,
    failedKey: null,
    thoughts: 0,
    failure: null,
  }))
}

const numbers = (a: Turn[], b: Turn[]) =>
  alignTurns(a, b).map((pair) => [pair.a?.number ?? '-', pair.b?.number ?? '-'].join(' '))

describe('likeness of prompts', () => {
  it('goes by shared words, whatever their case, width and order', () => {
    expect(promptLikeness('Fix the rounding bug', 'fix the ROUNDING')).toBe(3 / 4)
    expect(promptLikeness('ｆｉｘ it', 'it fix')).toBe(1)
    expect(promptLikeness('修复舍入', '修复')).toBe(1 / 2)
    expect(promptLikeness('', '')).toBe(1)
    expect(promptLikeness('', 'x')).toBe(0)
  })
})

describe('turns side by side', () => {
  it('pairs what was asked alike and leaves the rest alone', () => {
    const a = turns('Fix the rounding in the cart', 'Now run the tests', 'Write a changelog entry')
    const b = turns('Fix the rounding in the cart please', 'Show me the diff', 'Run the tests', 'Commit it')
    expect(numbers(a, b)).toEqual(['1 1', '- 2', '2 3', '3 -', '- 4'])
  })

  it('leaves out what stands before the first prompt', () => {
    const [first] = turns('')
    if (first === undefined) throw new Error('no turn')
    expect(numbers([{ ...first, number: 0 }, ...turns('hello there')], turns('hello there'))).toEqual(['1 1'])
  })

  it('pairs long sessions by their order', () => {
    const long = turns(...Array.from({ length: 500 }, (_, index) => `prompt ${index}`))
    expect(alignTurns(long, turns('other')).slice(0, 2)).toMatchObject([
      { a: { number: 1 }, b: { number: 1 }, likeness: 0 },
      { a: { number: 2 }, b: null, likeness: null },
    ])
  })

  it('has every turn of both once, in order, and is the same turned round', () => {
    const words = fc.array(fc.constantFrom('fix', 'run', 'tests', 'cart', 'why'), { maxLength: 4 })
    const session = fc.array(
      words.map((each) => each.join(' ')),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(session, session, (one, other) => {
        const [a, b] = [turns(...one), turns(...other)]
        const pairs = alignTurns(a, b)
        expect(pairs.flatMap((pair) => pair.a ?? [])).toEqual(a)
        expect(pairs.flatMap((pair) => pair.b ?? [])).toEqual(b)
        const total = (list: typeof pairs) => list.reduce((sum, pair) => sum + (pair.likeness ?? 0), 0)
        expect(total(alignTurns(b, a))).toBeCloseTo(total(pairs), 9)
      }),
    )
  })
})
