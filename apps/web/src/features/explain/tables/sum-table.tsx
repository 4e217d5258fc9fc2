import { formatExactUsd } from '@gemini-dash/api/figures'
import type { Cost, TokenUsage } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { useHasPrices } from '../../../api/health.ts'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import type { Explained } from '../../../content/explain/explain-context.ts'
import { describeCost, formatCount } from '../../../lib/figures/format.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'

interface Figures {
  usage: TokenUsage | null
  cost: Cost | null
  /** What the row in turn is the sum of. */
  explains?: Explained
}

interface Props {
  label: string
  /** What the rows are: `Session`, `Model`. */
  head: string
  rows: readonly (Figures & { key: string; name: ReactNode })[]
  /** The sum of all rows, where they are all there. */
  together?: Figures
}

/** What a sum is made of, part by part. */
export function SumTable({ label, head, rows, together }: Props) {
  const hasPrices = useHasPrices()
  const columns = hasPrices ? ['Calls', 'Tokens', 'Cost'] : ['Calls', 'Tokens']
  return (
    <ScrollRegion label={label}>
      <table className="explain-parts">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map((name) => (
              <th key={name} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, ...figures }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <Cells {...figures} hasPrices={hasPrices} />
            </tr>
          ))}
        </tbody>
        {together !== undefined && (
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <Cells {...together} hasPrices={hasPrices} />
            </tr>
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}

function Cells({ usage, cost, explains, hasPrices }: Figures & { hasPrices: boolean }) {
  const tokens = usage === null ? '-' : formatCount(usage.total)
  return (
    <>
      <td className="num">{usage === null ? '-' : formatCount(usage.calls)}</td>
      <td className="num">
        <Explainable of={explains && { ...explains, figure: 'total' }}>{tokens}</Explainable>
      </td>
      {hasPrices && (
        <td className="num" title={describeCost(cost)}>
          <Explainable of={explains && { ...explains, figure: 'cost' }}>{moneyOf(cost)}</Explainable>
        </td>
      )}
    </>
  )
}

function Explainable({ of, children }: { of: Explained | undefined; children: string }) {
  return of === undefined ? (
    children
  ) : (
    <ExplainButton of={of} name="">
      {children}
    </ExplainButton>
  )
}

function moneyOf(cost: Cost | null): string {
  if (cost?.usd == null) return 'unknown'
  return `${formatExactUsd(cost.usd)}${cost.unpricedCalls > 0 ? '+' : ''}`
}
