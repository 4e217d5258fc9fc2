import { costFigures, weighCalls } from '@gemini-dash/pricing'
import { spentMessages } from 'gemini-sessions'
import { findActivity } from '../../messages/find-activity.ts'
import { findBurial } from '../../messages/find-burial.ts'
import { findSideBranches } from '../../messages/find-side-branches.ts'
import { sessionFigures } from '../../messages/session-figures.ts'
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
      outline: turns,
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
