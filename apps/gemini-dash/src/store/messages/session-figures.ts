import type { CostReport, SessionDetail } from '@gemini-dash/api'
import { failedCallsSentence, findWaits, type Session, type WaitTotals } from 'gemini-sessions'

/** What the head of a session tells beyond its sums: what the cache saved, what was taken back, and where the time went. */
export function sessionFigures(
  session: Pick<Session, 'messages' | 'files'>,
  { savedByCache, superseded }: Pick<CostReport, 'savedByCache' | 'superseded'>,
): SessionDetail['figures'] {
  const waits = findWaits(session.messages)
  const totals: WaitTotals = { you: 0, model: 0, tool: 0, other: 0 }
  for (const { kind, startMs, endMs } of waits) totals[kind] += endMs - startMs
  const wallMs = (waits.at(-1)?.endMs ?? 0) - (waits.at(0)?.startMs ?? 0)
  const failedCalls = failedCallsSentence(session)
  return { savedByCache, superseded, wallMs, activeMs: totals.model + totals.tool, failedCalls }
}
