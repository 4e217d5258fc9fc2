// East Asian Wide and Fullwidth of Unicode 16, and what terminals draw as a picture.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const PICTURE = /^\p{Emoji_Presentation}|^\p{Extended_Pictographic}\ufe0f|^\p{Regional_Indicator}/u
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Columns that a text takes in a terminal: two for CJK and emoji. */
export function displayWidth(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += segmentWidth(segment)
  return width
}

/** At most `columns` wide, never cutting a character; what is cut is told by an ellipsis. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let fitting = ''
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    width += segmentWidth(segment)
    if (width > columns - 1) break
    fitting += segment
  }
  return `${fitting}…`
}

export function padWidth(text: string, columns: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - displayWidth(text)))
  return side === 'left' ? space + text : text + space
}

function segmentWidth(segment: string): number {
  if (INVISIBLE.test(segment)) return 0
  return WIDE.test(segment) || PICTURE.test(segment) ? 2 : 1
}
