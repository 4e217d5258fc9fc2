import type { Warning } from '@gemini-dash/api'
import { formatPlural } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

/** What the program goes on without, and what can be done about it. */
export function Warnings({ warnings }: { warnings: Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <FindingGroup title="Warnings" tally={formatPlural(warnings.length, 'matter')}>
      <FindingList items={warnings} keyOf={({ code, message }) => `${code} ${message}`}>
        {({ message, advice }) => (
          <>
            <p>{message}</p>
            {advice !== null && <p className="advice">{advice}</p>}
          </>
        )}
      </FindingList>
    </FindingGroup>
  )
}
