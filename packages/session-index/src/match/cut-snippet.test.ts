import { describe, expect, it } from 'vitest'
import { cutSnippet, queryMatcher, substringMatcher, wordsMatcher } from './query-matcher.ts'

const words = (...all: string[]) =>
  all.map((word) => ({ kind: 'text' as const, words: [word], isPrefix: false }))
const marked = ({ snippet, ranges }: ReturnType<typeof cutSnippet>) =>
  ranges.map(([start, end]) => snippet.slice(start, end))

describe('cutSnippet', () => {
  it('shows a short text whole, with every match', () => {
    const snippet = cutSnippet('A needle here, a NEEDLE there', wordsMatcher(words('needle')))
    expect(snippet.snippet).toBe('A needle here, a NEEDLE there')
    expect(marked(snippet)).toEqual(['needle', 'NEEDLE'])
  })

  it('cuts a piece of the text as it was written, at blanks, around the first match', () => {
    const text = `${'word '.repeat(100)}needle${' tail'.repeat(100)} needle`
    const snippet = cutSnippet(text, wordsMatcher(words('needle')))
    expect(text).toContain(snippet.snippet)
    expect(snippet.snippet.length).toBeLessThan(200)
    expect(snippet.snippet).toMatch(/^word .* tail$/)
    expect(marked(snippet)).toEqual(['needle'])
  })

  it('never parts a surrogate pair, nor takes a piece of a word for the word', () => {
    const matcher = substringMatcher('needle')
    const snippet = matcher && cutSnippet(`${'😀'.repeat(200)}needle${'😀'.repeat(200)}`, matcher)
    expect(Buffer.from(snippet?.snippet ?? '').toString()).toBe(snippet?.snippet)
    expect(snippet && marked(snippet)).toEqual(['needle'])
    const cut = cutSnippet(`x ${'y'.repeat(110)} needle`, wordsMatcher(words('x', 'y'.repeat(50))))
    expect(marked(cut)).toEqual(['x'])
  })

  it('C14: begins and ends with no half of a tag, unless that is what was found', () => {
    const text = `${'a'.repeat(30)}<hook_context name="session_start_of_the_whole_day_and_week">needle${'b'.repeat(140)}</hook_context_of_a_long_name> end`
    const cut = (word: string) => {
      const matcher = substringMatcher(word)
      return matcher === null ? '' : cutSnippet(text, matcher).snippet
    }
    expect(cut('needle')).toBe(`needle${'b'.repeat(140)}`)
    expect(cut('whole_day')).toContain('whole_day')
    expect(
      cutSnippet(`if (a < b) ${'word '.repeat(60)}needle > c`, wordsMatcher(words('needle'))).snippet,
    ).toMatch(/^word .*needle > c$/)
  })

  it('shows at least the beginning of a match that is longer than the snippet', async () => {
    const { matcher } = await queryMatcher({ mode: 'regex', tree: null, pattern: 'a+' })
    const snippet = matcher && cutSnippet('a'.repeat(5_000), matcher)
    expect(snippet?.ranges).toEqual([[0, snippet?.snippet.length]])
  })
})
