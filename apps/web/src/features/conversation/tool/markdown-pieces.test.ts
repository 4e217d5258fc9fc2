import { expect, test } from 'vitest'
import { markdownPieces } from './output-text.tsx'

test('pieces end between blocks, and joined they are the text', () => {
  const text = 'one\ntwo\nthree\n\nfour\n\nfive'
  expect(markdownPieces(text, 2)).toEqual(['one\ntwo\nthree', '\nfour', '\nfive'])
  expect(markdownPieces(text, 2).join('\n')).toBe(text)
})

test('a fenced block stays in one piece, unless it never ends', () => {
  expect(markdownPieces('```\na\n\nb\n```\n\nc', 2)).toEqual(['```\na\n\nb\n```', '\nc'])
  expect(markdownPieces(`\`\`\`\n${'a\n'.repeat(12)}`, 2)).toHaveLength(2)
})
