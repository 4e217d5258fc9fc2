import './usage-tiles.css'
import type { UsageReport } from '@gemini-dash/api'
import {
  describeCost,
  formatCost,
  formatCount,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../lib/format.ts'

type Tile = { label: string; value: string; title?: string; notes: (string | false)[] }

/** Four totals of the range, each with what qualifies it. */
export function UsageTiles({ total }: { total: UsageReport['total'] | undefined }) {
  return (
    <div className="tiles sheet" aria-busy={total === undefined}>
      {total &&
        toTiles(total).map((tile) => (
          <section key={tile.label} className="tile">
            <h2>{tile.label}</h2>
            <p className="tile-value" title={tile.title}>
              {tile.value}
            </p>
            <p className="tile-notes">{tile.notes.map((note) => note && <span key={note}>{note}</span>)}</p>
          </section>
        ))}
    </div>
  )
}

function toTiles({ usage, cost, calls, sessions }: UsageReport['total']): Tile[] {
  const said = usage.output + usage.thoughts
  return [
    {
      label: 'Cost',
      value: formatCost({ usd: cost.usd, unpricedCalls: 0 }),
      title: describeCost(cost),
      notes: [
        'at list price',
        cost.unpricedCalls > 0 && `${formatPlural(cost.unpricedCalls, 'call')} without a price`,
      ],
    },
    {
      label: 'Input tokens',
      value: formatTokens(usage.input),
      title: `${formatCount(usage.input)} tokens, ${formatCount(usage.cached)} of them cached`,
      notes: [
        usage.input > 0 && `${formatPercent(usage.cached / usage.input)} cached`,
        usage.callsWithoutTokens > 0 && `${formatPlural(usage.callsWithoutTokens, 'call')} without tokens`,
      ],
    },
    {
      label: 'Output and thoughts',
      value: formatTokens(said),
      title: `${formatCount(usage.output)} output, ${formatCount(usage.thoughts)} thoughts`,
      notes: [said > 0 && `${formatPercent(usage.thoughts / said)} thoughts`],
    },
    {
      label: 'Sessions',
      value: formatCount(sessions),
      notes: [formatPlural(calls, 'model call'), sessions > 0 && `${formatCount(calls / sessions)} each`],
    },
  ]
}
