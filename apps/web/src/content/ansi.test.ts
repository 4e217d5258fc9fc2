import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, linesFromTokens, luminance, parseAnsi, readableColour } from './ansi.tsx'

const ESC = '\u001b'
const BEL = '\u0007'

function textOf(text: string): string {
  return parseAnsi(text)
    .map((line) => line.map((span) => span.text).join(''))
    .join('\n')
}

describe('terminal text', () => {
  test('colours become spans, over line ends too', () => {
    const lines = parseAnsi(`${ESC}[31mred\nstill${ESC}[0m plain`)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject([{ text: 'red', foreground: { name: 'red' } }])
    expect(lines[1]).toMatchObject([
      { text: 'still', foreground: { name: 'red' } },
      { text: ' plain', foreground: null },
    ])
  })

  test('palette and true colours are exact, bright ones are named', () => {
    const [line] = parseAnsi(`${ESC}[38;5;202ma${ESC}[38;2;1;2;3mb${ESC}[91mc${ESC}[38;5;240md`)
    expect(line?.map((span) => span.foreground)).toEqual([
      { hex: '#ff5f00' },
      { hex: '#010203' },
      { name: 'bright-red' },
      { hex: '#585858' },
    ])
  })

  test('inverse swaps the colour with the ground', () => {
    expect(parseAnsi(`${ESC}[31;7m FAIL ${ESC}[0m`)[0]).toMatchObject([
      { text: ' FAIL ', foreground: { name: 'ground' }, background: { name: 'red' } },
    ])
  })

  test.each([
    ['cursor moves', `a${ESC}[2J${ESC}[10;20Hb`, 'ab'],
    ['a title', `${ESC}]0;evil title${BEL}text`, 'text'],
    ['a link, but not its words', `${ESC}]8;;javascript:alert(1)${ESC}\\click${ESC}]8;;${ESC}\\`, 'click'],
    ['the clipboard', `${ESC}]52;c;ZXZpbA==${BEL}text`, 'text'],
    ['device strings', `${ESC}P1;2|abc${ESC}\\text`, 'text'],
    ['a string that never ends, up to the line end', `${ESC}]0;open\nnext`, '\nnext'],
    ['charset choices', `${ESC}(Btext`, 'text'],
    ['a torn sequence', `text${ESC}[3`, 'text'],
    ['bells and backspaces', `a${BEL}\b\u0000b`, 'ab'],
  ])('%s are dropped', (_name, text, expected) => {
    expect(textOf(text)).toBe(expected)
  })

  test('of a progress bar only the last writing stays', () => {
    expect(textOf('10%\r50%\r100%\ndone\r\nend')).toBe('100%\ndone\nend')
  })

  test('R17: no control character survives, for any input', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, '31m', ';', '\r', '\n', '\u009b'),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        for (const character of textOf(pieces.join(''))) {
          const code = character.charCodeAt(0)
          expect(code >= 0x20 || code === 0x09 || code === 0x0a).toBe(true)
          expect(code >= 0x7f && code <= 0x9f).toBe(false)
        }
      }),
    )
  })

  test('R17: a megabyte of escapes is read without its text growing', () => {
    expect(textOf(`${ESC}[31m${ESC}[1;1H`.repeat(80_000))).toBe('')
  })
})

describe('the token grid of newer versions', () => {
  const blank = { bold: false, italic: false, underline: false, dim: false, inverse: false, fg: '', bg: '' }

  test('loses its padding, its cursor and its empty last rows', () => {
    const lines = linesFromTokens([
      [
        { ...blank, text: 'ok', fg: '#00cd00' },
        { ...blank, text: '          ' },
      ],
      [{ ...blank, text: '     ' }],
      [{ ...blank, text: ' ', inverse: true }],
    ])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject([{ text: 'ok', foreground: { hex: '#00cd00' } }])
  })

  test('keeps coloured blanks', () => {
    expect(linesFromTokens([[{ ...blank, text: '   ', bg: '#ff0000' }]])[0]).toMatchObject([
      { text: '   ', background: { hex: '#ff0000' } },
    ])
  })
})

describe('any colour is made readable', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  test.each([
    ['light', 0.8286],
    ['dark', 0.0037],
  ] as const)('on the %s ground', (theme, ground) => {
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        const hex = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`
        const readable = readableColour(hex, theme)
        const channels = [1, 3, 5].map((start) => Number.parseInt(readable.slice(start, start + 2), 16))
        expect(contrast(luminance(channels), ground)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })
})
