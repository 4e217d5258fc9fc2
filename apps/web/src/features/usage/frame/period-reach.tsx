import type { scaleBand } from '@visx/scale'
import { endOfPeriod, type PeriodUnit } from './periods.ts'
import { SessionsLink } from './sessions-link.tsx'
import type { useCellWalk } from './use-cell-walk.ts'

type Props = {
  starts: string[]
  unit: PeriodUnit
  x: ReturnType<typeof scaleBand<string>>
  top: number
  base: number
  describe: (position: number) => string
  cell: ReturnType<typeof useCellWalk>['cell']
  projectKey: string | undefined
}

/** Over the full height of each period: its value in words, and the way to its sessions. */
export function PeriodReach({ starts, unit, x, top, base, describe, cell, projectKey }: Props) {
  return starts.map((start, position) => (
    <SessionsLink
      key={start}
      days={{ from: start, to: endOfPeriod(unit, start) }}
      projectKey={projectKey}
      aria-label={describe(position)}
      {...cell(position, 0)}
    >
      <rect
        className="reach"
        x={(x(start) ?? 0) - (x.step() - x.bandwidth()) / 2}
        y={top}
        width={x.step()}
        height={base - top}
      />
    </SessionsLink>
  ))
}
