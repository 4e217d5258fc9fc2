import type { Comparison } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { formatCount } from '../../lib/figures/format.ts'
import { CompareTable } from './compare-table.tsx'

/** How often each session called which tool, and how often that failed. */
export function CompareTools({ comparison: { tools } }: { comparison: Comparison }) {
  return (
    <CompareTable
      title="Tools"
      note="calls, the busiest first"
      none="neither called one"
      rows={tools}
      name={({ name }) => <span title={name}>{toolLabel(name)}</span>}
      cell={(row, side) => <Calls figures={row[side]} />}
    />
  )
}

function Calls({ figures }: { figures: Comparison['tools'][number]['a'] }) {
  if (figures === null) return <span className="dim">-</span>
  return (
    <>
      {figures.errors > 0 && <span className="compare-failed">{formatCount(figures.errors)} failed</span>}
      {formatCount(figures.calls)}
    </>
  )
}
