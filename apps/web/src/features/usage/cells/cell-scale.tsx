import { formatFineUsd } from '../../../lib/figures/format.ts'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import { levelLimits } from './cell-levels.ts'

/** What the sizes of marks mean. Of whole numbers, only the sizes that one of them has. */
export function CellScale({ highest, metric }: { highest: number; metric: UsageMetric }) {
  const limits = levelLimits(highest).map(({ level, most }) => ({
    level,
    most: metric === 'cost' ? most : Math.floor(most + 1e-9),
  }))
  const steps = limits.filter(({ most }, position) => most > (limits[position - 1]?.most ?? 0))
  const { write } = usageMetrics[metric]
  const isTooCoarse = new Set(steps.map(({ most }) => write(most))).size < steps.length
  return (
    <ul className="cell-scale" aria-label="Scale">
      {steps.map(({ level, most }) => (
        <li key={level}>
          <span className="cell">
            <CellMark level={level} />
          </span>
          up to {isTooCoarse ? formatFineUsd(most) : write(most)}
        </li>
      ))}
    </ul>
  )
}

/** A square whose size says how much; nothing at all for nothing. */
export function CellMark({ level }: { level: number }) {
  return level > 0 && <span className={`cell-mark level-${level}`} />
}
