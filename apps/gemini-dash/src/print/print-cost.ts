import type { CostWhy, UsageReport, UsageWhy } from '@gemini-dash/api'
import { formatColumnDay, formatCost, formatCount, formatPlural } from '@gemini-dash/api/figures'
import { NO_KNOWN_PRICE, NOTHING_TO_CHANGE, PAID_FOR, whyScope } from '@gemini-dash/api/why-labels'
import type { Terminal } from '../terminal/cli-error.ts'
import { escapeLine } from './escape-controls.ts'
import { createPaint, wrapText } from './paint.ts'

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

type Look = Pick<Terminal, 'columns' | 'isColorful'>
