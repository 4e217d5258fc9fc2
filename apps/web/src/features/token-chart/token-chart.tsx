import './token-chart.css'
import { useQuery } from '@tanstack/react-query'
import type { Compression } from 'gemini-sessions'
import { ChevronUp, Table2 } from 'lucide-react'
import { memo, Suspense, useMemo, useState } from 'react'
import { useHasPrices } from '../../api/queries.ts'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { classNames } from '../../lib/browser.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { lazyPanel } from '../../ui/lazy.tsx'
import { Failed } from '../../ui/states.tsx'
import { GATHERED_FROM, toChartCalls } from './chart-call.ts'

const ChartPlot = lazyPanel(() => import('./chart-plot.tsx'))
const ChartTable = lazyPanel(() => import('./chart-table.tsx'))

interface Props {
  sessionRef: string
  /** Number of requests with recorded tokens; if none, there is no chart. */
  recordedCalls: number
  compressions: readonly Compression[]
  onJump: (messageKey: string, offset: number) => void
  /** Returns to the strip. */
  onFold: () => void
}

/** Tokens of every request of the session: received up, sent down, cumulative cost. Each bar links to its message. */
export const TokenChart = memo(function TokenChart({
  sessionRef,
  recordedCalls,
  compressions,
  onJump,
  onFold,
}: Props) {
  const [isTable, setIsTable] = useState(false)
  const { data: columns, error, refetch } = useQuery(sessionAnswerQuery('calls', sessionRef))
  const hasPrices = useHasPrices()
  const calls = useMemo(() => (columns === undefined ? [] : toChartCalls(columns)), [columns])
  if (recordedCalls === 0) return null
  return (
    <figure
      className={classNames(
        'token-chart',
        recordedCalls >= GATHERED_FROM && 'gathered',
        !hasPrices && 'without-cost',
      )}
      aria-labelledby="token-chart-title"
    >
      <div className="chart-caption">
        <h2 id="token-chart-title">Tokens per request</h2>
        <ChartLegend hasTool={calls.some((call) => (call.usage?.tool ?? 0) > 0)} />
        <div className="chart-controls">
          <Button look="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            <Icon of={Table2} small />
            {isTable ? 'View as chart' : 'View as table'}
          </Button>
          <IconButton icon={ChevronUp} label="Fold the chart" aria-expanded onClick={onFold} />
        </div>
      </div>
      {error !== null && (
        <Failed what="The requests couldn’t be loaded." error={error} onRetry={() => void refetch()} />
      )}
      <Suspense fallback={<div className="chart-frame sheet" />}>
        {columns === undefined ? (
          error === null && <div className="chart-frame sheet" />
        ) : isTable ? (
          <ChartTable calls={calls} hasPrices={hasPrices} onJump={onJump} />
        ) : (
          <ChartPlot
            calls={calls}
            models={columns.models}
            compressions={compressions}
            hasPrices={hasPrices}
            onJump={onJump}
          />
        )}
      </Suspense>
    </figure>
  )
})

/** Legend of the token classes, in the order of the stack. */
function ChartLegend({ hasTool }: { hasTool: boolean }) {
  return (
    <ul className="chart-legend label">
      {hasTool && <Key name="tooluse">tool</Key>}
      <Key name="thoughts">thinking</Key>
      <Key name="output">output</Key>
      <Key name="fresh">new input</Key>
      <Key name="cached">cached input</Key>
      <Key name="context">context</Key>
    </ul>
  )
}

function Key({ name, children }: { name: string; children: string }) {
  return (
    <li>
      <span className={`chart-key ${name}`} aria-hidden="true" />
      {children}
    </li>
  )
}
