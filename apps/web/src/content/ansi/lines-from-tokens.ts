import type { AnsiToken } from 'gemini-sessions'
import type { AnsiColour, AnsiLine } from './ansi-span.ts'
import { stripControls } from './strip-controls.ts'

/** The token grid that CLI 0.38+ stores for a shell under a pty, without its padding, cursor and empty last rows. */
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
  const foreground = colourOf(token.fg)
  const background = colourOf(token.bg)
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

function colourOf(hex: string): AnsiColour | null {
  return /^#[0-9a-f]{6}$/i.test(hex) ? { hex: hex.toLowerCase() } : null
}
