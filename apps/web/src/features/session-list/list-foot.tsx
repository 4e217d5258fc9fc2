import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../../api/health.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { ZoneButton } from '../../ui/buttons/zone-button.tsx'

/** How much of the list is shown, how much of the disk is read, and in which zone the times are. */
export function ListFoot({ shown, total }: { shown: number; total: number }) {
  const index = useQuery(healthQuery()).data?.index
  return (
    <p className="session-list-foot">
      <span>
        {shown < total
          ? `${formatCount(shown)} of ${formatPlural(total, 'session')}`
          : formatPlural(total, 'session')}
      </span>
      {index?.state === 'ready' && <span>All files indexed</span>}
      <span>
        Times in <ZoneButton />
      </span>
    </p>
  )
}
