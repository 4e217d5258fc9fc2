import './ansi.css'
import Anser from 'anser'
import type { AnsiToken } from 'gemini-sessions'
import { useMemo } from 'react'
import { classNames } from '../lib/browser.ts'
import { BLOCK_ROWS, LazyBlocks } from './lazy-blocks.tsx'
import { MachineText } from './machine-text.tsx'

const COLOUR = new RegExp(`${'\u001b'}\\[[\\d;:]*m`, 'g')

const RESET = new RegExp(`^${'\u001b'}\\[0*m$`)

/** More simultaneous styles could not be told apart. */
const MAX_OPEN = 200

const LINE_HEIGHT_PX = 20

/** Recorded terminal output in color; parts out of view are not even parsed. Used inside a `pre`. */
export function AnsiSource({ text }: { text: string }) {
  const lines = useMemo(() => plainAnsi(text).split('\n'), [text])
  const styles = useMemo(() => stylesAtBlocks(lines, BLOCK_ROWS), [lines])
  return (
    <LazyBlocks items={lines} as="span" rowHeightPx={LINE_HEIGHT_PX}>
      {(block, start) => <Block text={(styles[start / BLOCK_ROWS] ?? '') + block.join('\n')} />}
    </LazyBlocks>
  )
}

function Block({ text }: { text: string }) {
  return <AnsiLines lines={useMemo(() => parseAnsi(text), [text])} />
}

/** The active color sequences at the start of each block of lines, so that blocks can be parsed separately. */
export function stylesAtBlocks(lines: readonly string[], blockLines: number): string[] {
  const styles: string[] = []
  // of repeated sequences only the last one counts
  const open = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (index % blockLines === 0) styles.push([...open].slice(-MAX_OPEN).join(''))
    for (const [sequence] of line.matchAll(COLOUR)) {
      open.delete(sequence)
      if (RESET.test(sequence)) open.clear()
      else open.add(sequence)
    }
  }
  return styles
}

/** Relative luminance of `--color-sunken`, the background of all output, in both themes. */
const GROUND_LUMINANCE = { light: 0.828, dark: 0.0038 } as const

const MINIMUM_CONTRAST = 4.5

type Ground = keyof typeof GROUND_LUMINANCE

/** Lines of terminal output in color, without virtualization. */
function AnsiLines({ lines }: { lines: readonly AnsiLine[] }) {
  const placed = useMemo(() => withStarts(lines), [lines])
  return placed.map((line) => (
    <span key={line.start}>
      {line.spans.map((span) => (
        <Run key={span.start} span={span} />
      ))}
      {'\n'}
    </span>
  ))
}

function Run({ span }: { span: AnsiSpan }) {
  const { foreground, background } = span
  const className = classNames(
    foreground !== null && 'ansi-colored',
    background !== null && 'ansi-filled',
    span.isBold && 'ansi-bold',
    span.isItalic && 'ansi-italic',
    span.isUnderlined && 'ansi-underline',
    span.isDim && 'ansi-dim',
    span.isStruck && 'ansi-struck',
  )
  if (className === '') return <MachineText text={span.text} />
  return (
    <span className={className} style={colourVariables(foreground, background)}>
      <MachineText text={span.text} />
    </span>
  )
}

/** Text on a color is always in the color of the output's background. */
function colourVariables(
  foreground: AnsiColour | null,
  background: AnsiColour | null,
): Record<`--${string}`, string> | undefined {
  if (background !== null) return { '--ansi-fill': cssColour(background) }
  return foreground === null ? undefined : { '--ansi-ink': cssColour(foreground) }
}

function cssColour(colour: AnsiColour): string {
  if (!('name' in colour))
    return `light-dark(${readableColour(colour.hex, 'light')}, ${readableColour(colour.hex, 'dark')})`
  if (colour.name === 'ground') return 'var(--color-sunken)'
  return colour.name === 'ink' ? 'var(--color-ink)' : `var(--ansi-${colour.name})`
}

function withStarts(lines: readonly AnsiLine[]) {
  let start = 0
  return lines.map((line) => {
    const lineStart = start
    // two empty runs would have the same start
    const spans = line
      .filter(({ text }) => text !== '')
      .map((span) => {
        const placed = { ...span, start }
        start += span.text.length
        return placed
      })
    start += 1
    return { start: lineStart, spans }
  })
}

/** `#rrggbb` shifted towards black or white until it is readable on the theme's background; the hue stays. */
export function readableColour(hex: string, theme: Ground): string {
  const target = theme === 'light' ? 0 : 255
  const channels = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
  for (let share = 0; share <= 1; share += 0.05) {
    const mixed = channels.map((channel) => Math.round(channel + (target - channel) * share))
    if (contrast(luminance(mixed), GROUND_LUMINANCE[theme]) >= MINIMUM_CONTRAST) return toHex(mixed)
  }
  return toHex([target, target, target])
}

export function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function toHex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** A named terminal color, or an exact one as `#rrggbb`. */
type AnsiColour = { name: string } | { hex: string }

/** A run of terminal output in one style, without control characters. */
interface AnsiSpan {
  text: string
  foreground: AnsiColour | null
  background: AnsiColour | null
  isBold: boolean
  isItalic: boolean
  isUnderlined: boolean
  isDim: boolean
  isStruck: boolean
}

type AnsiLine = AnsiSpan[]

/** Parses terminal text into lines of styled runs. Text without colors is only split. */
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
  // the parser has already swapped inverse text, assuming a black background
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

/** The 256-color palette: 16 names, a 6 × 6 × 6 cube, 24 grays. */
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

/** Text and color sequences only, in their final state on the screen. */
function plainAnsi(text: string): string {
  return stripControls(lastOverwrite(text))
}

/** A progress bar rewrites its line after `\r`; keeps the last version. */
function lastOverwrite(text: string): string {
  if (!text.includes('\r')) return text
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => {
      const end = line.endsWith('\r') ? line.length - 1 : line.length
      return line.slice(line.lastIndexOf('\r', end - 1) + 1, end)
    })
    .join('\n')
}

const ESCAPE = '\u001b'
const STRING_OPENERS = new Set(['P', 'X', ']', '^', '_'])

/**
 * Keeps text, newlines, tabs and color sequences (SGR). Removes cursor moves, titles, links (OSC 8), clipboard writes (OSC 52) and device
 * strings; the text of links stays. Linear time for any input.
 */
function stripControls(text: string): string {
  let kept = ''
  let index = 0
  while (index < text.length) {
    const next = nextControl(text, index)
    kept += text.slice(index, next)
    if (next >= text.length) break
    const end = text[next] === ESCAPE ? endOfEscape(text, next) : next + 1
    const sequence = text.slice(next, end)
    if (isColourSequence(sequence)) kept += sequence
    index = end
  }
  return kept
}

function nextControl(text: string, from: number): number {
  let index = from
  while (index < text.length && !isControl(text.charCodeAt(index))) index += 1
  return index
}

function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f)
}

/** `start` is at ESC; returns the position after its sequence, or the end of a truncated one. */
function endOfEscape(text: string, start: number): number {
  const opener = text[start + 1]
  if (opener === undefined) return text.length
  if (opener === '[') return endOfControlSequence(text, start + 2)
  if (STRING_OPENERS.has(opener)) return endOfString(text, start + 2)
  // two-character sequences and charset choices such as ESC ( B
  return start + ('()*+-./#%'.includes(opener) ? 3 : 2)
}

function endOfControlSequence(text: string, from: number): number {
  let index = from
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code >= 0x40 && code <= 0x7e) return index + 1
    if (code < 0x20 || code > 0x7e) return index
    index += 1
  }
  return index
}

/** Strings end with BEL or ESC \\; an unterminated one is cut at the end of the line. */
function endOfString(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\u0007' || character === '\u009c') return index + 1
    if (character === ESCAPE && text[index + 1] === '\\') return index + 2
    if (character === '\n') return index
  }
  return text.length
}

function isColourSequence(sequence: string): boolean {
  return (
    sequence.startsWith(`${ESCAPE}[`) && sequence.endsWith('m') && /^[\d;:]*$/.test(sequence.slice(2, -1))
  )
}

/** Lines of terminal output in color. Used inside a `pre`. */
export function AnsiText({ lines }: { lines: readonly AnsiLine[] }) {
  return (
    <LazyBlocks items={lines} as="span" rowHeightPx={LINE_HEIGHT_PX}>
      {(block) => <AnsiLines lines={block} />}
    </LazyBlocks>
  )
}

/** The token grid that CLI 0.38+ stores for a shell under a pty, without padding, cursor and trailing empty rows. */
export function linesFromTokens(grid: readonly AnsiToken[][]): AnsiLine[] {
  const lines = grid.map((row) => withoutPadding(row).map(toSpan))
  while (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop()
  return lines
}

function withoutPadding(row: readonly AnsiToken[]): AnsiToken[] {
  const tokens = [...row]
  for (let last = tokens.at(-1); last !== undefined; last = tokens.at(-1)) {
    const isCursor = last.inverse && last.text === ' '
    const isColoured = !isCursor && (last.inverse || last.bg !== '')
    if (isColoured) break
    const trimmed = isCursor ? '' : last.text.trimEnd()
    tokens.pop()
    if (trimmed !== '') {
      tokens.push({ ...last, text: trimmed })
      break
    }
  }
  return tokens
}

function toSpan(token: AnsiToken): AnsiLine[number] {
  const foreground = tokenColorOf(token.fg)
  const background = tokenColorOf(token.bg)
  return {
    text: stripControls(token.text).replaceAll('\u001b', '').replaceAll('\n', ' '),
    foreground: token.inverse ? (background ?? { name: 'ground' }) : foreground,
    background: token.inverse ? (foreground ?? { name: 'ink' }) : background,
    isBold: token.bold,
    isItalic: token.italic,
    isUnderlined: token.underline,
    isDim: token.dim,
    isStruck: false,
  }
}

function tokenColorOf(hex: string): AnsiColour | null {
  return /^#[0-9a-f]{6}$/i.test(hex) ? { hex: hex.toLowerCase() } : null
}
