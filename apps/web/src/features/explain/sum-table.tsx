import type { Cost, TokenUsage } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { ExplainButton } from '../../content/explain-button.tsx'
import type { Explained } from '../../content/explain-context.ts'
import { classNames } from '../../lib/class-names.ts'
import { describeCost, formatCount } from '../../lib/format.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { exactUsd } from './exact-usd.ts'

interface Row {
  key: string
  name: ReactNode
  usage: TokenUsage | null
  cost: Cost | null
  /** What the row in turn is the sum of. */
  explains?: Explained
}

interface Props {
  label: string
  /** What the rows are: `Session`, `Model`. */
  head: string
  rows: readonly Row[]
  /** The sum of all rows, where they are all there. */
  together?: Omit<Row, 'key' | 'name'>
}

/** What a sum is made of, part by part. */
export function SumTable({ label, head, rows, together }: Props) {
  return (
    <ScrollRegion label={label}>
      <table className="explain-parts">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" className="num">
              Calls
            </th>
            <th scope="col" className="num">
              Tokens
            </th>
            <th scope="col" className="num">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, ...figures }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <Cells {...figures} />
            </tr>
          ))}
        </tbody>
        {together !== undefined && (
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <Cells {...together} />
            </tr>
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  )
}

function Cells({ usage, cost, explains }: Omit<Row, 'key' | 'name'>) {
  const isUnpriced = cost?.usd == null
  const money = isUnpriced ? 'unknown' : `${exactUsd(cost.usd ?? 0)}${cost.unpricedCalls > 0 ? '+' : ''}`
  return (
    <>
      <td className="num">{usage === null ? '-' : formatCount(usage.calls)}</td>
      <td className="num">{usage === null ? '-' : formatCount(usage.total)}</td>
      <td className={classNames('num', isUnpriced && 'dim')} title={describeCost(cost)}>
        {explains === undefined ? money : <ExplainButton of={explains}>{money}</ExplainButton>}
      </td>
    </>
  )
}
