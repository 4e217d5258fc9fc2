import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAnsi, stylesAtBlocks } from './ansi.tsx'

const ESC = '\u001b'

test('a block begins in the colours that the lines before it left open', () => {
  const lines = [`${ESC}[31mred`, `still ${ESC}[1mbold`, `${ESC}[0mplain`, 'plain']
  expect(stylesAtBlocks(lines, 1)).toEqual(['', `${ESC}[31m`, `${ESC}[31m${ESC}[1m`, ''])
})

test('colours that come again and again are carried once', () => {
  const lines = Array.from({ length: 1_000 }, () => `${ESC}[32mok${ESC}[39m`)
  expect(stylesAtBlocks(lines, 200).at(-1)).toBe(`${ESC}[32m${ESC}[39m`)
})

test('blocks read one by one look like the whole', () => {
  const piece = fc.constantFrom('a', 'b ', `${ESC}[31m`, `${ESC}[1m`, `${ESC}[0m`, `${ESC}[m`, `${ESC}[39m`)
  const line = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
      const styles = stylesAtBlocks(lines, 3)
      const read = styles.flatMap((style, block) =>
        parseAnsi(style + lines.slice(block * 3, block * 3 + 3).join('\n')),
      )
      expect(read).toEqual(parseAnsi(lines.join('\n')))
    }),
  )
})
