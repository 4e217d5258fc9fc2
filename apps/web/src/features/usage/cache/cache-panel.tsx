import { useQuery } from '@tanstack/react-query'
import { scaleBand, scaleLinear } from '@visx/scale'
import { useMemo } from 'react'
import { isUnanswered } from '../../../api/request/is-unanswered.ts'
import { usageQuery } from '../../../api/usage.ts'
import { formatPercent, formatTokens } from '../../../lib/figures/format.ts'
import { useElementWidth } from '../../../lib/hooks/use-element-width.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { ColumnAxes } from '../columns/column-axes.tsx'
import { ColumnFrame } from '../columns/column-frame.tsx'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { FailedPanel } from '../frame/failed-panel.tsx'
import { PeriodReach } from '../frame/period-reach.tsx'
import { describePeriod, endOfPeriod } from '../frame/periods.ts'
import { SessionsLink } from '../frame/sessions-link.tsx'
import type { UsageRange } from '../frame/usage-range.ts'
import { useCellWalk } from '../frame/use-cell-walk.ts'
import { type CacheRates, toCacheRates, unbrokenRuns } from './cache-rates.ts'

const HEIGHT = 160
const BASE = 132
const TOP = 14
const LEFT = 48
const RIGHT = 16
const LEAST_STEP = 6
const DOT_PX = 2.5

type Props = { range: UsageRange; projectKey: string | undefined }

/** How much of the input came out of the cache, over time. */
export function CachePanel({ range, projectKey }: Props) {
  const query = { by: 'day', from: range.from, project: projectKey, split: 'model' } as const
  const usage = useQuery(usageQuery(query))
  const rows = usage.data?.rows
  const data = useMemo(() => rows && toCacheRates(rows, range.days(rows)), [rows, range])
  if (isUnanswered(usage)) return <FailedPanel title="Cache hit rate" asked={[usage]} />
  if (!data) return <section className="panel min-h-[14.875rem]" aria-busy="true" />
  return (
    <ChartPanel
      chart="cache"
      title={`Cache hit rate per ${data.unit}`}
      note="cached of all input tokens"
      query={{ ...query, split: undefined }}
      isEmpty={data.points.every(({ rate }) => rate === null)}
      table={<CacheTable data={data} projectKey={projectKey} />}
    >
      <CacheChart
        key={`${data.points[0]?.start} ${data.points.length}`}
        data={data}
        projectKey={projectKey}
      />
    </ChartPanel>
  )
}

type CacheTableProps = { data: CacheRates; projectKey: string | undefined }

/** The periods in which anything was sent, the newest first. */
function CacheTable({ data: { unit, points }, projectKey }: CacheTableProps) {
  return (
    <ScrollRegion label="Cache hit rate as a table">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{unit === 'day' ? 'Day' : unit === 'week' ? 'Week' : 'Month'}</th>
            <th scope="col" className="num">
              Input
            </th>
            <th scope="col" className="num">
              Cached
            </th>
            <th scope="col" className="num">
              Hit rate
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(
            ({ start, input, cached, rate }) =>
              rate !== null && (
                <tr key={start}>
                  <th scope="row">
                    <SessionsLink
                      days={{ from: start, to: endOfPeriod(unit, start) }}
                      projectKey={projectKey}
                    >
                      {describePeriod(start, unit)}
                    </SessionsLink>
                  </th>
                  <td className="num">{formatTokens(input)}</td>
                  <td className="num">{formatTokens(cached)}</td>
                  <td className="num main">{formatPercent(rate)}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

type CacheChartProps = { data: CacheRates; projectKey: string | undefined }

/** A line with gaps where nothing was sent; lone periods are dots. */
function CacheChart({ data: { unit, points }, projectKey }: CacheChartProps) {
  const { ref, width: visibleWidth } = useElementWidth()
  const { shown, handlers, cell } = useCellWalk(`${points.length - 1},0`)
  const width = Math.max(visibleWidth, LEFT + RIGHT + points.length * LEAST_STEP)
  const x = scaleBand({ domain: points.map(({ start }) => start), range: [LEFT, width - RIGHT], padding: 0 })
  const y = scaleLinear({ domain: [0, 1], range: [BASE, TOP] })
  const place = ({ start, rate }: (typeof points)[number]) => ({
    cx: (x(start) ?? 0) + x.bandwidth() / 2,
    cy: y(rate ?? 0),
  })
  const summary = describeWhole(points)
  return (
    <div ref={ref}>
      <ColumnFrame
        label="Cache hit rate"
        name={`Cache hit rate per ${unit}. ${summary} Arrow keys walk it.`}
        width={width}
        height={HEIGHT}
        isMeasured={visibleWidth > 0}
        handlers={handlers}
      >
        <ColumnAxes columns={points} unit={unit} x={x} y={y} write={formatPercent} />
        {unbrokenRuns(points).map((run) => (
          <g key={run[0]?.start}>
            <polyline
              className="rate-line"
              points={run.map((point) => `${place(point).cx},${place(point).cy}`).join(' ')}
            />
            {run.map((point) => (
              <circle key={point.start} className="series-0" r={DOT_PX} {...place(point)} />
            ))}
          </g>
        ))}
        <PeriodReach
          starts={points.map(({ start }) => start)}
          unit={unit}
          x={x}
          top={TOP}
          base={BASE}
          describe={(position) => describePoint(points[position], unit)}
          cell={cell}
          projectKey={projectKey}
        />
      </ColumnFrame>
      <p className="chart-readout">{shown ?? summary}</p>
    </div>
  )
}

function describeWhole(points: CacheRates['points']): string {
  const input = points.reduce((sum, point) => sum + point.input, 0)
  const cached = points.reduce((sum, point) => sum + point.cached, 0)
  return input > 0 ? `${formatPercent(cached / input)} of all input in this time was cached.` : ''
}

function describePoint(point: CacheRates['points'][number] | undefined, unit: CacheRates['unit']): string {
  if (!point) return ''
  return `${describePeriod(point.start, unit)}: ${point.rate === null ? 'nothing sent' : `${formatPercent(point.rate)} cached`}`
}
