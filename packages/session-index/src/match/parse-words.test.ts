import { describe, expect, it } from 'vitest'
import { MAX_QUERY_WORDS, parseWords } from './parse-words.ts'

describe('parseWords', () => {
  it.each([
    ['fix  the frame', [['fix'], ['the'], ['frame']]],
    ['"frame buffer" bug', [['frame', 'buffer'], ['bug']]],
    ['„Straße“', [['strasse']]],
    [
      'get_coffset foo.bar() a/b.ts',
      [
        ['get', 'coffset'],
        ['foo', 'bar'],
        ['a', 'b', 'ts'],
      ],
    ],
    ['東京', [['東', '京']]],
    ['東　京', [['東'], ['京']]],
    ['say "hello', [['say'], ['hello']]],
    ['same SAME sàme', [['same']]],
    ['NEAR(a b) OR col:x -y *', [['near', 'a'], ['b'], ['or'], ['col', 'x'], ['y']]],
    ['nul\0byte', [['nul', 'byte']]],
  ])('reads %j', (text, phrases) => {
    expect(parseWords(text).phrases).toEqual(phrases)
  })

  it('says so when nothing is left to search for', () => {
    expect(parseWords(' -> "()" ').phrases).toEqual([])
    expect(parseWords('->').notes).toEqual([
      'Nothing to search for: type a word or a number, or search for a substring instead.',
    ])
  })

  it('says which parts were left out', () => {
    expect(parseWords('a => b').notes[0]).toContain('“=>”')
    const many = Array.from({ length: MAX_QUERY_WORDS + 1 }, (_, index) => `w${index}`).join(' ')
    expect(parseWords(many).phrases).toHaveLength(MAX_QUERY_WORDS)
    expect(parseWords(many).notes).toHaveLength(1)
  })
})
