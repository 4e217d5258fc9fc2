import './day-histogram.css'
import type { SearchResult } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { daysBetween } from '../../lib/figures/day-range.ts'
import { formatDate, formatPlural, startOfDay } from '../../lib/figures/format.ts'
import { useElementWidth } from '../../lib/hooks/use-element-width.ts'

type Props = { days: SearchResult['facets']['day']; chosenDay: string | undefined }

const HEIGHT = 46
const BASE = 30
const MOST_BAR_PX = 11
const MOST_DAYS = 3_660
/** Dates nearer than this would run into each other. */
const LABEL_PX = 90
/** Longer spans are labelled by month. */
const MOST_LABELLED_DAYS = 45

/** Hits by day over their whole span; a day is a link that narrows the search to it. */
export function DayHistogram({ days, chosenDay }: Props) {
  const { ref, width } = useElementWidth()
  const known = days
    .filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day.value))
    .sort((a, b) => (a.value < b.value ? -1 : 1))
  const first = known[0]?.value
  const last = known.at(-1)?.value
  if (first === undefined || last === undefined || first === last) return null
  const span = daysBetween(first, last, MOST_DAYS)
  const positions = new Map(span.map((day, position) => [day, position]))
  const step = width / span.length
  const most = Math.max(...known.map((day) => day.count))
  const barPx = Math.min(Math.max(step * 0.7, 2), MOST_BAR_PX)
  return (
    <figure className="day-histogram wide-only" ref={ref}>
      {width > 0 && (
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT}>
          <title>Hits by day</title>
          <line className="axis" x1="0" x2={width} y1={BASE + 0.5} y2={BASE + 0.5} />
          <DateTicks span={span} step={step} />
          {known.map((day) => {
            const x = (positions.get(day.value) ?? 0) * step
            const height = Math.max(2, (day.count / most) * (BASE - 2))
            const label = `${formatDate(startOfDay(day.value).toISOString())}: ${formatPlural(day.count, 'hit')}`
            return (
              <Link
                key={day.value}
                from="/search"
                to="/search"
                search={(before) => ({ ...before, day: day.value === chosenDay ? undefined : day.value })}
                className={day.value === chosenDay ? 'chosen' : undefined}
                aria-label={label}
              >
                <title>{label}</title>
                <rect className="reach" x={x} y="0" width={Math.max(step, barPx)} height={BASE} />
                <rect className="bar" x={x} y={BASE - height} width={barPx} height={height} />
              </Link>
            )
          })}
        </svg>
      )}
    </figure>
  )
}

function DateTicks({ span, step }: { span: string[]; step: number }) {
  let lastPx = -LABEL_PX
  return span.map((day, position) => {
    const x = Math.round(position * step) + 0.5
    const isLandmark = position === 0 || span.length <= MOST_LABELLED_DAYS || day.endsWith('-01')
    if (!isLandmark || x - lastPx < LABEL_PX) return null
    lastPx = x
    return (
      <g key={day}>
        <line className="tick" x1={x} x2={x} y1={BASE} y2={BASE + 6} />
        <text x={x + 5} y={BASE + 13}>
          {formatDate(startOfDay(day).toISOString())}
        </text>
      </g>
    )
  })
}
