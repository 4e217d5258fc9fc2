import './what-if.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import {
  describeCost,
  formatFineCost,
  formatFineUsd,
  formatPercent,
  formatPlural,
} from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { toWhatIfRows, type WhatIfRow } from './to-what-if-rows.ts'

/** Below it nobody would see a change in the figures. */
const LEAST_USD = 0.0005

const SCOPES = [
  { value: 'exclude', label: 'This session' },
  { value: 'include', label: 'With sub-agents' },
] as const

interface Props {
  sessionRef: string
  hasSubagents: boolean
  /** Has a place of its own, and is open. */
  isPanel?: boolean
}

/** What the same tokens would have cost otherwise. Asked for only when it is opened: that prices every call anew. */
export function WhatIfView({ sessionRef, hasSubagents, isPanel = false }: Props) {
  if (isPanel)
    return (
      <section aria-label="What if" className="panel">
        <div className="panel-head">
          <h2>What if</h2>
          <p>same session, other choices</p>
        </div>
        <div className="panel-body">
          <WhatIfBody sessionRef={sessionRef} hasSubagents={hasSubagents} isShort />
        </div>
      </section>
    )
  return (
    <section aria-label="What if">
      <Disclosure head="What if: another model, no cache, smaller prompts">
        {() => <WhatIfBody sessionRef={sessionRef} hasSubagents={hasSubagents} />}
      </Disclosure>
    </section>
  )
}

interface WhatIfBodyProps {
  sessionRef: string
  hasSubagents: boolean
  /** Models that were not used wait until they are asked for. */
  isShort?: boolean
}

function WhatIfBody({ sessionRef, hasSubagents, isShort = false }: WhatIfBodyProps) {
  const [subagents, setSubagents] = useState<(typeof SCOPES)[number]['value']>('include')
  const { data, error, refetch } = useQuery(sessionAnswerQuery('what-if', sessionRef, { subagents }))
  if (error !== null && data === undefined)
    return <Failed what="The prices could not be read." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={4} label="Pricing the calls" />
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
        <WhatIfTable rows={toWhatIfRows(data)} isShort={isShort} />
      )}
      {cost.unpricedCalls > 0 && (
        <p className="dim">
          {formatPlural(cost.unpricedCalls, 'call')} of unknown price{' '}
          {cost.unpricedCalls === 1 ? 'is' : 'are'} left out of what it cost, but priced on another model; no
          difference is told there.
        </p>
      )}
      {agentsLeftOut > 0 && (
        <p className="dim">
          {formatPlural(agentsLeftOut, 'more sub-agent')} {agentsLeftOut === 1 ? 'is' : 'are'} not counted in.
        </p>
      )}
    </div>
  )
}

function WhatIfTable({ rows, isShort }: { rows: readonly WhatIfRow[]; isShort: boolean }) {
  const [isAll, setIsAll] = useState(!isShort)
  const shown = isAll ? rows : rows.filter(({ isMain }) => isMain)
  const realUsd = rows[0]?.cost.usd ?? null
  return (
    <>
      <ScrollRegion label="What it would have cost">
        <table className="what-if-table">
          <thead>
            <tr>
              <th scope="col">The same tokens</th>
              <th scope="col" className="num">
                Cost
              </th>
              <th scope="col" className="num">
                Against what it cost
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, name, note, cost, changeUsd }) => (
              <tr key={key}>
                <th scope="row">
                  {name}
                  {note !== null && <small>{note}</small>}
                </th>
                <td className="num" title={describeCost(cost)}>
                  {cost.usd === null ? 'unknown' : formatFineCost(cost)}
                </td>
                <td className="num">
                  {changeUsd === null ? '' : describeDifference(changeUsd, realUsd ?? 0)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {shown.length < rows.length && (
        <Button look="quiet" onClick={() => setIsAll(true)}>
          {formatPlural(rows.length - shown.length, 'other model')}
        </Button>
      )}
    </>
  )
}

/** `$0.120 less, 40 %` */
function describeDifference(changeUsd: number, realUsd: number): string {
  const amount = Math.abs(changeUsd)
  if (amount < LEAST_USD) return 'the same'
  const share = realUsd > 0 ? `, ${formatPercent(amount / realUsd)}` : ''
  return `${formatFineUsd(amount)} ${changeUsd < 0 ? 'less' : 'more'}${share}`
}
