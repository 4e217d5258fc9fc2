import type { UsageReport, UsageRow } from '@gemini-dash/api'
import type { FigureName } from '../../../content/explain/explain-context.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../../lib/figures/format.ts'
import { countFailed, describeFailures } from '../../../lib/session/describe-failures.ts'

/** More than this is told as a multiple. */
const MOST_PERCENT = 10

export type Tile = {
  label: string
  value: string
  title?: string
  /** Which figure of the usage report it is; it opens how that came about. */
  explains?: FigureName
  /** It leads to the sessions that it counts in. */
  isOfFailures?: boolean
  notes: (string | false)[]
}
export type TileSource = { total: UsageReport['total']; tools: UsageRow[] }

/** What a time came to, beside the time of equal length before; null where there is none. */
export function toTiles({ total, tools }: TileSource, earlier: TileSource | null, hasPrices = true): Tile[] {
  // one tile says that there was nothing to compare with
  const before = earlier?.total.sessions === 0 ? null : earlier
  const { usage, cost, calls, sessions } = total
  const toolCalls = tools.reduce((sum, row) => sum + row.calls, 0)
  const tiles: Tile[] = [
    {
      label: 'Cost',
      value: formatCost({ usd: cost.usd, unpricedCalls: 0 }),
      title: describeCost(cost),
      explains: 'cost',
      notes: [
        before !== null && describeChange(cost.usd ?? 0, before.total.cost.usd ?? 0),
        cost.unpricedCalls > 0 && `${formatPlural(cost.unpricedCalls, 'call')} of unknown price`,
        (before?.total.cost.unpricedCalls ?? 0) > 0 &&
          `${formatCount(before?.total.cost.unpricedCalls ?? 0)} before`,
      ],
    },
    {
      label: 'Tokens',
      value: formatTokens(usage.total),
      title: `${formatCount(usage.input)} input, ${formatCount(usage.output)} output, ${formatCount(usage.thoughts)} thoughts, ${formatCount(usage.tool)} tool`,
      explains: 'total',
      notes: [
        before !== null && describeChange(usage.total, before.total.usage.total),
        usage.total > 0 && `${formatTokens(usage.output + usage.thoughts)} output and thoughts`,
        usage.callsWithoutTokens > 0 && `${formatPlural(usage.callsWithoutTokens, 'call')} without tokens`,
      ],
    },
    {
      label: 'Sessions',
      value: formatCount(sessions),
      explains: 'calls',
      notes: [
        earlier !== null && describeChange(sessions, earlier.total.sessions, 'no earlier sessions'),
        formatPlural(calls, 'model call'),
      ],
    },
    {
      label: 'Cache hit rate',
      value: cacheRate(total) === null ? '-' : formatPercent(cacheRate(total) ?? 0),
      title: `${formatCount(usage.cached)} of ${formatCount(usage.input)} input tokens were cached`,
      explains: 'cached',
      notes: [
        before !== null && describeRateChange(cacheRate(total), cacheRate(before.total)),
        `${formatTokens(usage.cached)} of ${formatTokens(usage.input)} input`,
      ],
    },
    {
      label: 'Failed',
      isOfFailures: countFailed(total.failures) > 0,
      value: formatCount(countFailed(total.failures)),
      title:
        'Calls of tools, requests that the API refused, and prompts without an answer, of sub-agents too',
      notes: [
        before !== null && describeChange(countFailed(total.failures), countFailed(before.total.failures)),
        ...describeFailures(total.failures),
        toolCalls > 0 &&
          `${formatPercent(total.failures.tools / toolCalls)} of ${formatPlural(toolCalls, 'tool call')}`,
      ],
    },
  ]
  return hasPrices ? tiles : tiles.filter(({ label }) => label !== 'Cost')
}

function cacheRate({ usage }: UsageReport['total']): number | null {
  return usage.input > 0 ? usage.cached / usage.input : null
}

/** `18 % more than before`, `12 % less than before`, `none before` */
function describeChange(now: number, before: number, ofNone = 'none before'): string {
  if (now === before) return 'as before'
  if (before === 0) return ofNone
  const change = Math.abs(now - before) / before
  const word = now > before ? 'more' : 'less'
  if (change >= MOST_PERCENT) return `${formatCount(now / before)} times as before`
  return `${formatPercent(change)} ${word} than before`
}

/** Of two rates: `4 points more than before`. Half a point is no change that anyone would see. */
function describeRateChange(now: number | null, before: number | null): string | false {
  if (now === null) return false
  if (before === null) return 'none before'
  const points = Math.round(Math.abs(now - before) * 100)
  if (points === 0) return 'as before'
  return `${points} ${points === 1 ? 'point' : 'points'} ${now > before ? 'more' : 'less'} than before`
}
