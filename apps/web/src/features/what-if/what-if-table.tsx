import { describeCost, formatFineCost, formatFineUsd, formatPercent } from '../../lib/figures/format.ts'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import type { WhatIfRow } from './to-what-if-rows.ts'

/** Below it nobody would see a change in the figures. */
const LEAST_USD = 0.0005

export function WhatIfTable({ rows }: { rows: readonly WhatIfRow[] }) {
  const realUsd = rows[0]?.cost.usd ?? null
  return (
    <ScrollRegion label="What it would have cost">
      <table className="what-if-table">
        <thead>
          <tr>
            <th scope="col">The same tokens</th>
            <th scope="col" className="num">
              Cost
            </th>
            <th scope="col" className="num">
              Against what it cost
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, note, cost, changeUsd }) => (
            <tr key={key}>
              <th scope="row">
                {name}
                {note !== null && <small>{note}</small>}
              </th>
              <td className="num" title={describeCost(cost)}>
                {cost.usd === null ? 'unknown' : formatFineCost(cost)}
              </td>
              <td className="num">{changeUsd === null ? '' : describeDifference(changeUsd, realUsd ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** `$0.120 less, 40 %` */
function describeDifference(changeUsd: number, realUsd: number): string {
  const amount = Math.abs(changeUsd)
  if (amount < LEAST_USD) return 'the same'
  const share = realUsd > 0 ? `, ${formatPercent(amount / realUsd)}` : ''
  return `${formatFineUsd(amount)} ${changeUsd < 0 ? 'less' : 'more'}${share}`
}
