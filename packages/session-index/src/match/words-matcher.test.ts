import { foldTextOnly } from '@gemini-dash/api/fold-text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tokenize } from '../text.ts'
import { wordsMatcher } from './query-matcher.ts'

const letters = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', 'B', ' ', '\n', '.', '中', '_', '😀'),
  maxLength: 30,
})
const words = fc.array(fc.constantFrom('a', 'b', 'ab', 'e', 'ba', '中'), { minLength: 1, maxLength: 2 })

it('finds words where reading the whole text word by word does', () => {
  fc.assert(
    fc.property(letters, words, fc.boolean(), (text, wanted, isPrefix) => {
      const matcher = wordsMatcher([{ kind: 'text', words: wanted, isPrefix }])
      const said = tokenize(foldTextOnly(text)).map((token) => token.text)
      const isSaidAt = (start: number) =>
        wanted.every((word, offset) => {
          const here = said[start + offset] ?? ''
          return isPrefix && offset === wanted.length - 1 ? here.startsWith(word) : here === word
        })
      const isSaid = said.some((_, start) => isSaidAt(start))
      expect(matcher.isIn(text)).toBe(isSaid)
      for (const [start, end] of matcher.ranges(text, 100)) {
        const found = tokenize(foldTextOnly(text.slice(start, end))).map((token) => token.text)
        expect(found.length).toBe(wanted.length)
        expect(found.slice(0, -1)).toEqual(wanted.slice(0, -1))
      }
    }),
    { numRuns: 2000 },
  )
})
