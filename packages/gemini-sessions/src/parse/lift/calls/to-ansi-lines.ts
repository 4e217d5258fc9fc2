import type { AnsiToken, ToolOutput } from '../../../model/tool-output.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'

/** Rows of terminal tokens (0.38+, shell under a pty); null for a list of anything else. */
export function toAnsiLines(stored: unknown): ToolOutput | null {
  if (!Array.isArray(stored) || !stored.every(isTokens)) return null
  return { kind: 'ansi', lines: stored.map((line) => line.map(toToken)) }
}

function isTokens(line: unknown): line is RawObject[] {
  return Array.isArray(line) && line.every(isRawObject)
}

function toToken(token: RawObject): AnsiToken {
  return {
    text: typeof token.text === 'string' ? token.text : '',
    bold: token.bold === true,
    italic: token.italic === true,
    underline: token.underline === true,
    dim: token.dim === true,
    inverse: token.inverse === true,
    fg: toColour(token.fg),
    bg: toColour(token.bg),
  }
}

function toColour(value: unknown): string {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : ''
}
