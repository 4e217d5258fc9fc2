import type { CostWhy, UsageReport, UsageWhy } from '@gemini-dash/api'
import { formatColumnDay, formatCost, formatCount, formatPlural } from '@gemini-dash/api/figures'
import { groupBy } from '@gemini-dash/api/group-by'
import { NO_KNOWN_PRICE, NOTHING_TO_CHANGE, PAID_FOR, whyScope } from '@gemini-dash/api/why-labels'
import type { Terminal } from '../terminal/cli-error.ts'
import { escapeLine } from './escape-controls.ts'

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

type Look = Pick<Terminal, 'columns' | 'isColorful'>

const AMOUNT_WIDTH = 10
const SHARE_WIDTH = 5

/** Why a session cost what it did. */
export function printCostWhy(title: string, why: CostWhy, look: Look): string {
  const paint = createPaint(look.isColorful)
  const { shown, lines } = why
  if (shown === null) return `${paint.bold(escapeLine(title))}\n${NO_KNOWN_PRICE}\n`
  const scope = whyScope(why)
  return [
    paint.bold(escapeLine(title)),
    `Why it cost ${shown}`,
    ...lines.flatMap((line) => reasonLines(line, look, [line.detail, line.advice ?? NOTHING_TO_CHANGE])),
    ...(scope === '' ? [] : [scope]),
    '',
  ].join('\n')
}

/** `$4.69 in 39 sessions, Nov 8 to Nov 21. 36 of 633 tool calls failed.` */
export function printUsageTotal({ rows, total }: UsageReport, nowMs: number): string {
  // at noon, so that it is this day in every time zone
  const day = (key: string | undefined) =>
    key === undefined ? '' : formatColumnDay(`${key}T12:00:00`, nowMs)
  const keys = rows.map(({ key }) => key).toSorted()
  const [first, last] = [day(keys[0]), day(keys.at(-1))]
  const days = first === '' ? '' : first === last ? `, ${first}` : `, ${first} to ${last}`
  const { tools } = total.failures
  const failed =
    tools === 0 ? '' : ` ${formatCount(tools)} of ${formatPlural(total.toolCalls, 'tool call')} failed.`
  return `${formatCost(total.cost)} in ${formatPlural(total.sessions, 'session')}${days}.${failed}`
}

/** Why all sessions of a report cost what they did, and what that was paid for. */
export function printUsageWhy(why: UsageWhy, look: Look): string {
  const paint = createPaint(look.isColorful)
  const { shown, lines, other, kinds } = why
  if (shown === null) return `${NO_KNOWN_PRICE}\n`
  const rest =
    other === null
      ? []
      : reasonLines({ ...other, text: formatPlural(other.sessions, 'other session') }, look, [
          `None above ${other.largest}.`,
        ])
  return [
    paint.bold(`Why ${shown}`),
    ...lines.flatMap((line) =>
      reasonLines({ ...line, text: line.name || 'A session without a name' }, look, [
        `${line.text}.`,
        line.advice ?? '',
      ]),
    ),
    ...rest,
    byType(kinds, look),
    '',
  ].join('\n')
}

function byType(kinds: UsageWhy['kinds'], { columns }: Look): string {
  const text = `By type: ${kinds.map(({ kind, shown }) => `${PAID_FOR[kind]} ${shown}`).join(', ')}`
  return columns === null ? text : wrapText(text, columns)
}

function reasonLines(
  { shown, percent, text }: Pick<CostWhy['lines'][number], 'shown' | 'percent' | 'text'>,
  { columns, isColorful }: Look,
  more: readonly string[],
): string[] {
  const { bold } = createPaint(isColorful)
  const amount = shown.padStart(AMOUNT_WIDTH)
  const share = `${percent}%`.padStart(SHARE_WIDTH)
  const indent = ' '.repeat(AMOUNT_WIDTH + SHARE_WIDTH + 2)
  return [
    `${amount}${share}  ${bold(escapeLine(text))}`,
    ...more
      .filter((line) => line !== '')
      .map((line) => `${indent}${escapeLine(line)}`)
      .map((line) => (columns === null ? line : wrapText(line, columns))),
  ]
}
