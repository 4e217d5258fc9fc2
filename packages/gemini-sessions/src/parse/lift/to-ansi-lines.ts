import type { AnsiToken, ToolOutput } from '../../model/tool-output.ts'
import { isRawObject } from '../../raw/raw-object.ts'

/** Rows of terminal tokens (0.38+, shell under a pty); null for a list of anything else. */
export function toAnsiLines(stored: unknown): ToolOutput | null {
  if (!Array.isArray(stored) || !stored.every(Array.isArray)) return null
  return { kind: 'ansi', lines: stored.map((line: unknown[]) => line.filter(isRawObject).map(toToken)) }
}

function toToken(token: { readonly [field: string]: unknown }): AnsiToken {
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
