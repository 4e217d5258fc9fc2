import './chart-table.css'
import { useMemo, useState } from 'react'
import { formatCount } from '../../../lib/figures/format.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import type { ChartCall } from '../geometry/chart-call.ts'
import { ChartTableRow } from './chart-table-row.tsx'

const PAGE = 500
const COLUMNS = ['Call', 'Turn', 'Time', 'Model', 'Fresh input', 'Cached', 'Output', 'Thoughts', 'Tool']
/** Those from here on hold figures. */
const FIRST_FIGURE = 4

interface Props {
  calls: readonly ChartCall[]
  hasPrices: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** The chart in figures. */
export default function ChartTable({ calls, hasPrices, onJump }: Props) {
  const [shown, setShown] = useState(PAGE)
  const sums = useMemo(() => sumsSoFar(calls), [calls])
  const columns = hasPrices ? [...COLUMNS, 'Cost', 'So far'] : COLUMNS
  return (
    <ScrollRegion label="Tokens per call, table" className="chart-table sheet">
      <table>
        <thead>
          <tr>
            {columns.map((name, column) => (
              <th key={name} scope="col" className={column >= FIRST_FIGURE ? 'num' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.slice(0, shown).map((call, index) => (
            <ChartTableRow
              key={call.messageKey}
              call={call}
              number={index + 1}
              usdSoFar={hasPrices ? (sums[index] ?? 0) : null}
              onJump={onJump}
            />
          ))}
        </tbody>
      </table>
      {shown < calls.length && (
        <Button look="quiet" onClick={() => setShown(shown + PAGE)}>
          Show {formatCount(Math.min(PAGE, calls.length - shown))} more calls
        </Button>
      )}
    </ScrollRegion>
  )
}

function sumsSoFar(calls: readonly ChartCall[]): number[] {
  let usdSoFar = 0
  return calls.map(({ usd }) => {
    usdSoFar += usd ?? 0
    return usdSoFar
  })
}
