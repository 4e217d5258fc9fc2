import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StringScanner } from './string-scanner.ts'

/** Long enough for the code paths for long strings. */
const PLAIN = 'plain words of some length, '.repeat(5)

/** The inside of a JSON string, usually, at any offset in its buffer. */
const inside = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('a', 'plain words', ' ', '料理', '👋', '\x7f', '\x80') },
    { weight: 4, arbitrary: fc.constantFrom('\\"', '\\\\', '\\n', '\\u0041', '\\ud83d', '\\/') },
    fc.constantFrom('"', '\\', '\\x', '\\u12', '\\u12g4', '\n', '\t', '\x1f', '\x00'),
  ),
)

it('ends a string where JSON.parse does, and takes no string that it does not take', () => {
  fc.assert(
    fc.property(inside, fc.nat(7), fc.constantFrom('', PLAIN), (pieces, offset, long) => {
      const text = `"${long}${pieces.join('')}${long}"`
      const bytes = new TextEncoder().encode(`${'x'.repeat(offset)}${text} behind`).subarray(offset)
      const end = new StringScanner(bytes).skip(1)
      expect(end).toBe(endOfString(bytes))
    }),
    { numRuns: 3_000 },
  )
})

it('tells whether a string could have been written otherwise', () => {
  const scanner = new StringScanner(new TextEncoder().encode('"\\u001b[31m" "plain \\n"'))
  expect(scanner.skip(1)).toBe(12)
  expect(scanner.hasOddEscape).toBe(true)
  expect(scanner.skip(14)).toBe(23)
  expect(scanner.hasOddEscape).toBe(false)
})

/** The first quote up to which `JSON.parse` accepts the bytes as a string. */
function endOfString(bytes: Uint8Array): number {
  for (let end = bytes.indexOf(34, 1) + 1; end !== 0; end = bytes.indexOf(34, end) + 1) {
    try {
      JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))
      return end
    } catch {
      // An escaped quote, or not a valid string.
    }
  }
  return -1
}
