import Anser from 'anser'
import type { AnsiColour, AnsiLine, AnsiSpan } from './ansi-span.ts'
import { plainAnsi } from './plain-ansi.ts'

/** Terminal text to lines of styled runs. Text without colours costs no more than splitting it. */
export function parseAnsi(text: string): AnsiLine[] {
  const clean = plainAnsi(text)
  if (!clean.includes('\u001b'))
    return clean.split('\n').map((line) => (line === '' ? [] : [plainSpan(line)]))
  const lines: AnsiLine[] = [[]]
  for (const entry of Anser.ansiToJson(clean, { json: true, use_classes: true, remove_empty: true })) {
    const [first = '', ...rest] = entry.content.split('\n')
    pushSpan(lines, entry, first)
    for (const text of rest) {
      lines.push([])
      pushSpan(lines, entry, text)
    }
  }
  return lines
}

type Entry = ReturnType<typeof Anser.ansiToJson>[number]

function pushSpan(lines: AnsiLine[], entry: Entry, text: string): void {
  // the parser keeps the ESC of a malformed sequence
  const visible = text.replaceAll('\u001b', '')
  if (visible === '' || entry.decorations.includes('hidden')) return
  const background = colourOf(entry.bg, entry.bg_truecolor)
  // the parser has already swapped inverse text, taking black for the ground
  const isOnGround = background !== null && entry.fg === 'ansi-black'
  const foreground = isOnGround ? { name: 'ground' } : colourOf(entry.fg, entry.fg_truecolor)
  lines.at(-1)?.push({
    text: visible,
    foreground,
    background,
    isBold: entry.decorations.includes('bold'),
    isItalic: entry.decorations.includes('italic'),
    isUnderlined: entry.decorations.includes('underline'),
    isDim: entry.decorations.includes('dim'),
    isStruck: entry.decorations.includes('strikethrough'),
  })
}

/** The parser's class names: `ansi-red`, `ansi-bright-red`, `ansi-palette-202`, `ansi-truecolor`. */
function colourOf(name: string | null, trueColour: string | null): AnsiColour | null {
  if (name === null || name === '') return null
  if (name === 'ansi-truecolor')
    return trueColour === null ? null : { hex: hexOf(trueColour.split(',').map(Number)) }
  const palette = /^ansi-palette-(\d+)$/.exec(name)
  return palette === null ? { name: name.slice('ansi-'.length) } : paletteColour(Number(palette[1]))
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** The 256-colour palette: 16 names, a 6 × 6 × 6 cube, 24 greys. */
function paletteColour(index: number): AnsiColour | null {
  if (index < 8) return { name: NAMES[index] ?? 'white' }
  if (index < 16) return { name: `bright-${NAMES[index - 8]}` }
  if (index > 255) return null
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return { hex: hexOf([grey, grey, grey]) }
  }
  const levels = [0, 95, 135, 175, 215, 255]
  const cube = index - 16
  return {
    hex: hexOf([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => levels[step] ?? 0)),
  }
}

function hexOf(channels: number[]): string {
  return `#${channels
    .map((channel) =>
      Math.min(Math.max(Math.round(channel) || 0, 0), 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function plainSpan(text: string): AnsiSpan {
  return {
    text,
    foreground: null,
    background: null,
    isBold: false,
    isItalic: false,
    isUnderlined: false,
    isDim: false,
    isStruck: false,
  }
}
