import { describe, expect, test } from 'vitest'
import { showControls, visibleControls } from './machine-text.tsx'

describe('R18: invisible characters in code, commands and paths', () => {
  test('an override of the reading direction is named', () => {
    expect(visibleControls('rm \u202etxt.exe')).toEqual([
      { text: 'rm ', start: 0, control: null },
      { text: '\u202e', start: 3, control: 'U+202E' },
      { text: 'txt.exe', start: 4, control: null },
    ])
  })

  test('zero-width and escape characters are named', () => {
    expect(visibleControls('a\u200bb\u001b').map((run) => run.control)).toEqual([
      null,
      'U+200B',
      null,
      'U+001B',
    ])
  })

  test('R60, B9: tags, which only a model reads, are named one by one', () => {
    expect(visibleControls('go\u{e0001}\u{e0068}!')).toEqual([
      { text: 'go', start: 0, control: null },
      { text: '\u{e0001}', start: 2, control: 'U+E0001' },
      { text: '\u{e0068}', start: 4, control: 'U+E0068' },
      { text: '!', start: 6, control: null },
    ])
  })

  test('line ends, tabs, CJK, joined emoji and right-to-left letters are ordinary', () => {
    const text = 'a\tb\r\n金额 👩‍💻 שלום'
    expect(visibleControls(text)).toEqual([{ text, start: 0, control: null }])
  })

  test('nothing is lost: the runs joined are the text', () => {
    const text = '\u2066x\u2069\u0000'
    expect(
      visibleControls(text)
        .map((run) => run.text)
        .join(''),
    ).toBe(text)
  })
})

test('R20: a JSON value writes them out, in names too, and pollutes nothing', () => {
  const value = JSON.parse('{"a\\u202e": ["x\\u0000", 1, null], "__proto__": {"polluted": true}}')
  const shown = showControls(value)
  expect(JSON.stringify(shown)).toContain('"a[U+202E]":["x[U+0000]",1,null]')
  expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false)
})
