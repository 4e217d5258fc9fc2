import { scaleBand, scaleLinear } from '@visx/scale'
import { formatPercent } from '../../../lib/figures/format.ts'
import { useElementWidth } from '../../../lib/hooks/use-element-width.ts'
import { ColumnAxes } from '../columns/column-axes.tsx'
import { ColumnFrame } from '../columns/column-frame.tsx'
import { describePeriod } from '../frame/describe-period.ts'
import { PeriodReach } from '../frame/period-reach.tsx'
import { useCellWalk } from '../frame/use-cell-walk.ts'
import { type CacheRates, unbrokenRuns } from './cache-rates.ts'

const HEIGHT = 160
const BASE = 132
const TOP = 14
const LEFT = 48
const RIGHT = 16
const LEAST_STEP = 6
const DOT_PX = 2.5

type Props = { data: CacheRates; projectKey: string | undefined }

/** A line with gaps where nothing was sent; lone periods are dots. */
export function CacheChart({ data: { unit, points }, projectKey }: Props) {
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
