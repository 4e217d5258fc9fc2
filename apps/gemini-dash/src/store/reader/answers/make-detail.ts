import type { CostReport, SessionDetail } from '@gemini-dash/api'
import { toTurnColumns } from '@gemini-dash/api/turn-columns'
import { costFigures, weighCalls } from '@gemini-dash/pricing'
import {
  failedCallsSentence,
  findWaits,
  type RecordOfRuns,
  spentMessages,
  type WaitTotals,
} from 'gemini-sessions'
import { findActivity } from '../../messages/find-activity.ts'
import { findBurial } from '../../messages/find-burial.ts'
import { findSideBranches } from '../../messages/find-side-branches.ts'
import { unfoldedKeys } from '../../messages/unfolded-keys.ts'
import type { Written } from '../../messages/written.ts'
import type { DetailParts } from '../place/session-place.ts'
import type { OpenedSession } from './opened-session.ts'

/** What a session's page begins with, but for its row. */
export function makeDetail(opened: OpenedSession): Written<DetailParts> {
  const { place, session, messages, outline, once } = opened
  return once('detail', () => {
    const { turns, compressions } = outline()
    const calls = weighCalls(spentMessages(session), place.source.prices)
    const { segments, drawnKeys, resumedKeys } = session
    return {
      segments,
      messageTotal: messages.length,
      outline: [],
      turnColumns: toTurnColumns(turns),
      compressions,
      drawnKeys,
      resumedKeys,
      buriedBy: findBurial(session),
      branches: findSideBranches(messages, { turns, compressions, unfolded: unfoldedKeys(session) }),
      activity: findActivity(messages),
      figures: sessionFigures({ ...session, messages }, costFigures(calls)),
    }
  })
}

/** What the head of a session tells beyond its sums: what the cache saved, what was taken back, and where the time went. */
function sessionFigures(
  session: RecordOfRuns,
  { savedByCache, superseded }: Pick<CostReport, 'savedByCache' | 'superseded'>,
): SessionDetail['figures'] {
  const waits = findWaits(session.messages)
  const totals: WaitTotals = { you: 0, model: 0, tool: 0, other: 0 }
  for (const { kind, startMs, endMs } of waits) totals[kind] += endMs - startMs
  const wallMs = (waits.at(-1)?.endMs ?? 0) - (waits.at(0)?.startMs ?? 0)
  const failedCalls = failedCallsSentence(session)
  return { savedByCache, superseded, wallMs, activeMs: totals.model + totals.tool, failedCalls }
}
