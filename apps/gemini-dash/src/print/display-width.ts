// East Asian Wide and Fullwidth of Unicode 16, and what terminals draw as a picture.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const PICTURE = /^\p{Emoji_Presentation}|^\p{Extended_Pictographic}\ufe0f|^\p{Regional_Indicator}/u
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** What most texts are made of: one column each, and no need to ask what belongs together. */
const PLAIN = /^[\x20-\x7e]*$/

/** Takes some milliseconds to make, which a table without other letters need not wait for. */
let segmenter: Intl.Segmenter | null = null

function segmentsOf(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Columns that a text takes in a terminal: two for CJK and emoji. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of segmentsOf(text)) width += segmentWidth(segment)
  return width
}

/** At most `columns` wide, never cutting a character; what is cut is told by an ellipsis. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (PLAIN.test(text)) return `${text.slice(0, columns - 1)}…`
  let fitting = ''
  let width = 0
  for (const { segment } of segmentsOf(text)) {
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
