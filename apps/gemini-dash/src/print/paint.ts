export interface Paint {
  bold: (text: string) => string
  dim: (text: string) => string
  red: (text: string) => string
}

/** Emphasis by SGR codes, or the text as it is where colours are off. */
export function createPaint(isColorful: boolean): Paint {
  const wrap = (open: number, close: number) => (text: string) =>
    isColorful ? `\x1b[${open}m${text}\x1b[${close}m` : text
  return { bold: wrap(1, 22), dim: wrap(2, 22), red: wrap(31, 39) }
}
