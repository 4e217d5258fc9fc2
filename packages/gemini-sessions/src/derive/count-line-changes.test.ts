import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countLineChanges } from './touched-file-list.ts'

it.each([
  ['', '', 0, 0],
  ['', 'a\nb\n', 2, 0],
  ['a\nb\n', 'a\nb', 0, 0],
  ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
  ['a\nb\nc\n', 'b\nc\na\n', 1, 1],
  ['a\nb\nc\nd\n', 'b\nd\n', 0, 2],
])('from %j to %j: +%i -%i', (before, after, linesAdded, linesRemoved) => {
  expect(countLineChanges(before, after)).toEqual({ linesAdded, linesRemoved })
})

it('finds the fewest, as the longest common subsequence tells them', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const common = longestCommon(old, now)
      expect(countLineChanges(old.map(line).join(''), now.map(line).join(''))).toEqual({
        linesAdded: now.length - common,
        linesRemoved: old.length - common,
      })
    }),
  )
})

it('gives up on texts that have too little in common', () => {
  const text = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}\n`).join('')
  expect(countLineChanges(`x\n${text('old')}y\n`, `z\n${text('new')}`)).toBeNull()
})

const line = (text: string) => `${text}\n`

function longestCommon(old: readonly string[], now: readonly string[]): number {
  const [first, ...rest] = old
  if (first === undefined || now.length === 0) return 0
  const at = now.indexOf(first)
  const without = longestCommon(rest, now)
  return at < 0 ? without : Math.max(without, 1 + longestCommon(rest, now.slice(at + 1)))
}
