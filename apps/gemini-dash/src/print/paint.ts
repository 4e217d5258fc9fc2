import { groupBy } from '@gemini-dash/api/group-by'

export type Tone = 'bold' | 'dim' | 'red' | 'amber'
export type Paint = Record<Tone, (text: string) => string>

/** Emphasis by SGR codes, or the plain text if colors are off. */
export function createPaint(isColorful: boolean): Paint {
  const wrap = (open: number, close: number) => (text: string) =>
    isColorful ? `\x1b[${open}m${text}\x1b[${close}m` : text
  return { bold: wrap(1, 22), dim: wrap(2, 22), red: wrap(31, 39), amber: wrap(33, 39) }
}

// East Asian Wide and Fullwidth of Unicode 16, and what terminals draw as emoji.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const PICTURE = /^\p{Emoji_Presentation}|^\p{Extended_Pictographic}\ufe0f|^\p{Regional_Indicator}/u
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** True for most texts: one column per character, and no need for segmentation. */
const PLAIN = /^[\x20-\x7e]*$/

/** Takes some milliseconds to create, so tables with only ASCII text skip it. */
let segmenter: Intl.Segmenter | null = null

function segmentsOf(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Width of a text in terminal columns: two for CJK and emoji. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of segmentsOf(text)) width += segmentWidth(segment)
  return width
}

/** Cuts to at most `columns`, never within a character; an ellipsis marks the cut. */
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

/** Each text cut to at most `columns`. Different texts stay different: they keep their beginning, and the part in which they differ. */
export function cutApart(texts: readonly string[], columns: number): string[] {
  const cut = texts.map((text) => fitWidth(text, columns))
  const places = groupBy([...texts.keys()], (at) => cut[at] ?? '')
  const taken = new Set(cut)
  for (const same of places.values()) {
    const different = new Set(same.map((at) => texts[at] ?? ''))
    if (different.size < 2) continue
    const apart = new Map([...different].map((text) => [text, tellApart(text, different, columns, taken)]))
    for (const at of same) cut[at] = apart.get(texts[at] ?? '') ?? ''
  }
  return cut
}

/** The first piece that no other text has: its end, or the part where it differs from others; as a last resort a number. */
function tellApart(text: string, others: ReadonlySet<string>, columns: number, taken: Set<string>): string {
  const head = fitWidth(text, Math.ceil(columns / 2))
  const room = columns - displayWidth(head)
  const letters = [...text]
  const ends = [letters.length - room, ...[...others].map((other) => firstDifference(letters, [...other]))]
  const pieces = ends
    .filter((from) => from > 0)
    .map((from) => `${head}${fitWidth(letters.slice(from).join(''), room)}`)
  const numbered = Array.from(others, (_, at) => {
    const number = `…${at + 2}`
    return `${fitWidth(text, columns - number.length).replace(/…$/, '')}${number}`
  })
  const found = [...pieces, ...numbered].find((piece) => !taken.has(piece) && displayWidth(piece) <= columns)
  const chosen = found ?? fitWidth(text, columns)
  taken.add(chosen)
  return chosen
}

function firstDifference(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((letter, place) => letter !== other[place])
  return at < 0 ? one.length : at
}

/** Breaks lines wider than `columns` between words; a wider word stays whole. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (displayWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = indent
  let width = displayWidth(indent)
  for (const word of line.trim().split(/ +/)) {
    const wordWidth = displayWidth(word)
    const isFirst = current === indent
    if (!isFirst && width + 1 + wordWidth > columns) {
      lines.push(current)
      current = indent + word
      width = displayWidth(indent) + wordWidth
    } else {
      current += isFirst ? word : ` ${word}`
      width += wordWidth + (isFirst ? 0 : 1)
    }
  }
  return [...lines, current].join('\n')
}

export function padWidth(text: string, columns: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - displayWidth(text)))
  return side === 'left' ? space + text : text + space
}

function segmentWidth(segment: string): number {
  if (INVISIBLE.test(segment)) return 0
  return WIDE.test(segment) || PICTURE.test(segment) ? 2 : 1
}
