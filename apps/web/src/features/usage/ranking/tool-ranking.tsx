import type { UsageRow } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '../../../api/usage.ts'
import { toolFilter } from '../../../lib/address/find-search.ts'
import { formatAtMost, formatCount, formatPlural, formatTokens } from '../../../lib/figures/format.ts'
import { type RankingRow, RankingTable } from './ranking-table.tsx'

const MOST_ROWS = 10

interface Props {
  from: string | undefined
  projectKey?: string | undefined
}

/** The tools that were called most, each with the way to its calls. */
export function ToolRanking({ from, projectKey }: Props) {
  const usage = useQuery(usageQuery({ by: 'tool', from, project: projectKey }))
  const tools = [...(usage.data?.rows ?? [])].sort((a, b) => b.calls - a.calls)
  const most = tools[0]?.calls ?? 0
  const rows = tools.slice(0, MOST_ROWS).map((row) => ({
    key: row.key,
    share: most > 0 ? row.calls / most : 0,
    failedShare: row.calls > 0 ? (row.errors ?? 0) / row.calls : 0,
    name: (
      <Link to="/search" search={{ q: callsOf(row.key, from), project: projectKey }} title={row.key}>
        {toolLabel(row.label)}
      </Link>
    ),
    cells: [
      {
        text: formatTokens(row.outputTokensEstimate ?? 0),
        title: 'Estimated: a quarter of the characters that went back to the model',
      },
      timeCell(row),
      failedCell(row, { from, projectKey }),
      { text: formatCount(row.calls) },
    ],
  }))
  const callCount = tools.reduce((sum, row) => sum + row.calls, 0)
  const errorCount = tools.reduce((sum, row) => sum + (row.errors ?? 0), 0)
  const note = `${formatPlural(callCount, 'call')}, those of sub-agents too${errorCount > 0 ? `, ${formatCount(errorCount)} failed` : ''}. Output: tokens brought back into context, estimated`
  return (
    <RankingTable
      title="Tool calls"
      query={{ by: 'tool', from, project: projectKey }}
      note={note}
      columns={['Output, est.', 'Time', 'Failed', 'Calls']}
      rows={rows}
      asked={usage}
    />
  )
}

/** Leads to the calls that it counts. */
function failedCell({ errors, key }: UsageRow, { from, projectKey }: Props): RankingRow['cells'][number] {
  if (!errors) return { text: '-' }
  const search = { q: `${callsOf(key, from)} is:error`, project: projectKey }
  return { text: formatCount(errors), tone: 'error', search }
}

/** The search that finds its calls. */
function callsOf(tool: string, from: string | undefined): string {
  return from === undefined ? toolFilter(tool) : `${toolFilter(tool)} after:${from}`
}

function timeCell({ maxTimeMs = 0, timedCalls = 0, calls }: UsageRow) {
  if (timedCalls === 0) return { text: '-' }
  const told = timedCalls < calls ? ` Recorded of ${formatPlural(timedCalls, 'call')}.` : ''
  return {
    text: formatAtMost(maxTimeMs),
    title: `From answers to results: at most, as starts are not recorded, and with the waiting for you.${told}`,
  }
}
