import type { Cost, TokenUsage } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { describeCost, formatCount } from '../../lib/format.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { exactUsd } from './exact-usd.ts'

interface Row {
  key: string
  name: ReactNode
  usage: TokenUsage | null
  cost: Cost | null
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
          {rows.map(({ key, name, usage, cost }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <Cells usage={usage} cost={cost} />
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

function Cells({ usage, cost }: Omit<Row, 'key' | 'name'>) {
  const isUnpriced = cost?.usd == null
  return (
    <>
      <td className="num">{usage === null ? '-' : formatCount(usage.calls)}</td>
      <td className="num">{usage === null ? '-' : formatCount(usage.total)}</td>
      <td className={classNames('num', isUnpriced && 'dim')} title={describeCost(cost)}>
        {isUnpriced ? 'unknown' : `${exactUsd(cost.usd ?? 0)}${cost.unpricedCalls > 0 ? '+' : ''}`}
      </td>
    </>
  )
}
