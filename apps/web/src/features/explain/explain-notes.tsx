import type { CostReport } from '@gemini-dash/api'
import { formatPlural } from '../../lib/figures/format.ts'
import { SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import { exactUsd } from './tables/exact-usd.ts'
import { UNKNOWN_REASON } from './unknown-reason.ts'

/** What is in no sum and why, what was taken back and counts all the same, and what the cache saved. */
export function ExplainNotes({ report }: { report: CostReport }) {
  const { unknown, superseded, savedByCache } = report
  const isOff = unknown.some(({ reason }) => reason === 'plan')
  const saved = savedByCache.usd ?? 0
  if (unknown.length === 0 && superseded.length === 0 && saved <= 0) return null
  return (
    <ul className="explain-notes">
      {isOff && <li>No costs: {UNKNOWN_REASON.plan}.</li>}
      {!isOff &&
        unknown.map(({ reason, model, calls }) => (
          <li key={`${reason} ${model}`}>
            {formatPlural(calls, 'call')}
            {model !== null && ` of ${model}`} without a price: {UNKNOWN_REASON[reason]}. In no sum, never $0.
          </li>
        ))}
      {superseded.map(({ cause, usage, cost }) => (
        <li key={cause}>
          {SUPERSEDED_WORD[cause]}: {formatPlural(usage.calls, 'call')}
          {cost.usd !== null && `, ${exactUsd(cost.usd)}`}. Billed, so counted here.
        </li>
      ))}
      {saved > 0 && <li>Without the cache it would have been {exactUsd(saved)} more.</li>}
    </ul>
  )
}
