import { SupersededWord } from '../../../content/text/superseded-word.tsx'
import './chart-table.css'
import { useMemo, useState } from 'react'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import {
  formatClock,
  formatCount,
  formatFineUsd,
  formatModel,
  formatPlural,
} from '../../../lib/figures/format.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import type { ChartCall } from '../geometry/chart-call.ts'

const PAGE = 500
const COLUMNS = ['Call', 'Turn', 'Time', 'Model', 'New input', 'Cached', 'Output', 'Thoughts', 'Tool']
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
          Show {formatPlural(Math.min(PAGE, calls.length - shown), 'more call')}
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

interface ChartTableRowProps {
  call: ChartCall
  number: number
  /** What the calls up to this one cost; null where no prices are shown. */
  usdSoFar: number | null
  onJump: (messageKey: string, offset: number) => void
}

/** One call: the way to its message, its tokens, and what it cost. */
function ChartTableRow({ call, number, usdSoFar, onJump }: ChartTableRowProps) {
  const { messageKey, offset, usd, superseded } = call
  return (
    <tr className={superseded === null ? undefined : 'chart-superseded'}>
      <th scope="row">
        <a
          className="link"
          href={`#m-${messageKey}`}
          onClick={(event) => {
            event.preventDefault()
            onJump(messageKey, offset)
          }}
        >
          {number}
        </a>
        {call.failed && <span className="tone-error"> failed</span>}
        {superseded !== null && (
          <>
            {' '}
            <SupersededWord cause={superseded} className="dim" />
          </>
        )}
      </th>
      <td>{call.turn}</td>
      <td>{call.time === null ? '-' : formatClock(new Date(call.time).toISOString(), 'seconds')}</td>
      <td title={call.model ?? undefined}>{call.model === null ? '-' : formatModel(call.model)}</td>
      {figuresOf(call).map(({ name, tokens }) => (
        <td key={name} className="num">
          {tokens === null ? '-' : formatCount(tokens)}
        </td>
      ))}
      {usdSoFar !== null && (
        <>
          <td className="num">
            {call.isAtHigherRate && <span className="dim">higher rate </span>}
            <ExplainButton of={{ kind: 'call', messageKey, figure: 'cost' }} name="">
              {usd === null ? 'unknown' : formatFineUsd(usd)}
            </ExplainButton>
          </td>
          <td className="num">{formatFineUsd(usdSoFar)}</td>
        </>
      )}
    </tr>
  )
}

function figuresOf({ usage }: ChartCall): { name: string; tokens: number | null }[] {
  return [
    { name: 'fresh', tokens: usage && Math.max(usage.input - usage.cached, 0) },
    { name: 'cached', tokens: usage?.cached ?? null },
    { name: 'output', tokens: usage?.output ?? null },
    { name: 'thoughts', tokens: usage?.thoughts ?? null },
    { name: 'tool', tokens: usage?.tool ?? null },
  ]
}
