/** One of the sixteen colours of the terminal, by name, or an exact one as `#rrggbb`. */
export type AnsiColour = { name: string } | { hex: string }

/** A run of terminal output in one style. Holds no control characters. */
export interface AnsiSpan {
  text: string
  foreground: AnsiColour | null
  background: AnsiColour | null
  isBold: boolean
  isItalic: boolean
  isUnderlined: boolean
  isDim: boolean
  isStruck: boolean
}

export type AnsiLine = AnsiSpan[]
