import './token-chart.css'
import { apiPaths } from '@gemini-dash/api/paths'
import { useQuery } from '@tanstack/react-query'
import type { Compression } from 'gemini-sessions'
import { Download, Table2 } from 'lucide-react'
import { memo, Suspense, useMemo, useState } from 'react'
import { useHasPrices } from '../../api/health.ts'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { lazyPanel } from '../../ui/lazy/lazy-panel.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { toChartCalls } from './geometry/chart-call.ts'
import { GATHERED_FROM, type ScaleKind } from './geometry/chart-layout.ts'

const ChartPlot = lazyPanel(() => import('./chart-plot.tsx'))
const ChartTable = lazyPanel(() => import('./table/chart-table.tsx'))

interface Props {
  sessionRef: string
  /** Of how many calls tokens are recorded; without any there is no chart. */
  recordedCalls: number
  compressions: readonly Compression[]
  onJump: (messageKey: string, offset: number) => void
}

const SCALES = [
  { value: 'linear', label: 'Linear' },
  { value: 'log', label: 'Log' },
] as const

/** Tokens of every call of the session: received up, sent down, cost adding up. Each bar leads to its message. */
export const TokenChart = memo(function TokenChart({
  sessionRef,
  recordedCalls,
  compressions,
  onJump,
}: Props) {
  const [scale, setScale] = useState<ScaleKind>('linear')
  const [isTable, setIsTable] = useState(false)
  const [isInputHidden, setIsInputHidden] = useState(false)
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
        <h2 id="token-chart-title">Tokens per call</h2>
        <ChartLegend hasTool={calls.some((call) => (call.usage?.tool ?? 0) > 0)} />
        <div className="chart-controls">
          {!isTable && (
            <>
              <Button
                look="quiet"
                aria-pressed={isInputHidden}
                onClick={() => setIsInputHidden(!isInputHidden)}
              >
                Hide input
              </Button>
              <Segmented label="Scale" value={scale} options={SCALES} onChange={setScale} />
            </>
          )}
          <Button look="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            <Icon of={Table2} small />
            {isTable ? 'View as chart' : 'View as table'}
          </Button>
          <a className="button quiet" href={apiPaths.calls(sessionRef, { format: 'csv' })} download>
            <Icon of={Download} small />
            CSV
          </a>
        </div>
      </div>
      {error !== null && (
        <Failed what="The calls could not be read." error={error} onRetry={() => void refetch()} />
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
            scale={scale}
            isInputHidden={isInputHidden}
            hasPrices={hasPrices}
            onJump={onJump}
          />
        )}
      </Suspense>
    </figure>
  )
})
