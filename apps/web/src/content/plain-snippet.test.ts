import { expect, test } from 'vitest'
import { plainSnippet } from './hits.ts'

/** The plain form of a snippet whose hit is marked with « ». */
function shown(written: string): string {
  const start = written.indexOf('«')
  const end = written.indexOf('»') - 1
  const range: [number, number][] = start === -1 ? [] : [[start, end]]
  const { snippet, ranges } = plainSnippet(written.replace(/[«»]/g, ''), range)
  const [from, to] = ranges[0] ?? [0, 0]
  return start === -1 ? snippet : `${snippet.slice(0, from)}«${snippet.slice(from, to)}»${snippet.slice(to)}`
}

test.each([
  ['The **«sum»** of `three` floats', 'The «sum» of three floats'],
  ['## «Rounding»\n\n- one\n- *two*\n1. three', '«Rounding» one two 1. three'],
  ['see [the «docs»](https://example.org/a_b) now', 'see the «docs» now'],
  ['```ts\nconst «a» = b * c\n```\nand', 'const «a» = b * c and'],
  ['> quoted «words»', 'quoted «words»'],
  ['snake_case_«word» and 5 * 3 * 2', 'snake_case_«word» and 5 * 3 * 2'],
  ['what was looked for stays: «**sum**»', 'what was looked for stays: «**sum**»'],
  ['a_b_c __«init»__ done', 'a_b_c «init» done'],
  ['no mark at all', 'no mark at all'],
])('C14: %j is shown as %j', (written, expected) => {
  expect(shown(written)).toBe(expected)
})
