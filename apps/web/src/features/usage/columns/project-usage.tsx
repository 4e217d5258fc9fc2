import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayOf, startOfDay } from '../../../lib/figures/format.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { usageRange } from '../frame/usage-range.ts'
import { DayPanel } from './day-panel.tsx'

/** A project's last thirty days; in tokens where nothing has a price. */
export function ProjectUsage({ projectKey, hasPrice }: { projectKey: string; hasPrice: boolean }) {
  const today = dayOf(useNow())
  const range = useMemo(() => usageRange('30d', startOfDay(today)), [today])
  return (
    <DayPanel
      range={range}
      metric={hasPrice ? 'cost' : 'tokens'}
      projectKey={projectKey}
      moreLink={
        <Link to="/usage" search={{ project: projectKey }} className="button quiet tiny">
          All usage of this project
        </Link>
      }
    />
  )
}
