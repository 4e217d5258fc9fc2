import type { CostReport, SessionDetail } from '@gemini-dash/api'
import { findWaits, type Message, type WaitTotals } from 'gemini-sessions'

/** What the head of a session tells beyond its sums: what the cache saved, what was taken back, and where the time went. */
export function sessionFigures(
  messages: readonly Message[],
  { savedByCache, superseded }: Pick<CostReport, 'savedByCache' | 'superseded'>,
): SessionDetail['figures'] {
  const waits = findWaits(messages)
  const totals: WaitTotals = { you: 0, model: 0, tool: 0, other: 0 }
  for (const { kind, startMs, endMs } of waits) totals[kind] += endMs - startMs
  const wallMs = (waits.at(-1)?.endMs ?? 0) - (waits.at(0)?.startMs ?? 0)
  return { savedByCache, superseded, wallMs, activeMs: totals.model + totals.tool }
}
