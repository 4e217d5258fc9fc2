import './what-if.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whatIfQuery } from '../../api/what-if.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { toWhatIfRows } from './to-what-if-rows.ts'
import { WhatIfTable } from './what-if-table.tsx'

interface Props {
  sessionRef: string
  hasSubagents: boolean
}

const SCOPES = [
  { value: 'exclude', label: 'This session' },
  { value: 'include', label: 'With sub-agents' },
] as const

export function WhatIfBody({ sessionRef, hasSubagents }: Props) {
  const [subagents, setSubagents] = useState<(typeof SCOPES)[number]['value']>('exclude')
  const { data, error, refetch } = useQuery(whatIfQuery(sessionRef, subagents))
  if (error !== null && data === undefined)
    return <Failed what="The prices could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { cost, agentsLeftOut } = data
  return (
    <div className="what-if">
      <p>
        The tokens stay as they were recorded, only their price changes: another model would have used others,
        and shorter prompts would have held less.
      </p>
      {hasSubagents && (
        <Segmented label="Calls of" value={subagents} options={SCOPES} onChange={setSubagents} />
      )}
      {data.onModels.length === 0 ? (
        <p>No price is known for these calls, so there is nothing to compare.</p>
      ) : (
        <WhatIfTable rows={toWhatIfRows(data)} />
      )}
      {cost.unpricedCalls > 0 && (
        <p className="dim">
          {formatPlural(cost.unpricedCalls, 'call')} of unknown price{' '}
          {cost.unpricedCalls === 1 ? 'is' : 'are'} left out of what it cost, but priced on another model; no
          difference is told there.
        </p>
      )}
      {agentsLeftOut > 0 && (
        <p className="dim">{formatPlural(agentsLeftOut, 'more sub-agent')} are not counted in.</p>
      )}
    </div>
  )
}
