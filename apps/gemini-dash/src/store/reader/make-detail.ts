import type { CostReport, SessionDetail } from '@gemini-dash/api'
import { toTurnColumns } from '@gemini-dash/api/turn-columns'
import { costFigures, type PriceOverrides, pricerOf, weighCalls } from '@gemini-dash/pricing'
import {
  failedCallsSentence,
  findActivity,
  findWaits,
  linkAgentCalls,
  linkFates,
  type Message,
  type Outline,
  priceMessages,
  type RecordOfRuns,
  type Session,
  type SubagentRef,
  spentMessages,
  type WaitTotals,
} from 'gemini-sessions'
import { findBuried, unfoldedKeys } from '../message-page.ts'
import { findSideBranches } from '../side-branches.ts'
import type { Written } from '../written-messages.ts'
import type { OpenedSession } from './opened-session.ts'
import type { DetailParts } from './session-place.ts'

export function makeDetail({ place, session, messages, outline, once }: OpenedSession): Written<DetailParts> {
  return once('detail', () =>
    detailOf({ session, messages, outline: outline(), prices: place.source.prices }),
  )
}

/** The beginning of a session's page, except for its row. `messages`: as shown. */
export function detailOf({
  session,
  messages,
  outline: { turns, compressions },
  prices,
}: {
  session: Session
  messages: readonly Message[]
  outline: Outline
  prices: PriceOverrides | undefined
}): DetailParts {
  const calls = weighCalls(spentMessages(session), prices)
  const { segments, drawnKeys, resumedKeys } = session
  return {
    segments,
    messageTotal: messages.length,
    outline: [],
    turnColumns: toTurnColumns(turns),
    compressions,
    drawnKeys,
    resumedKeys,
    buriedBy: findBuried(session),
    branches: findSideBranches(messages, { turns, compressions, unfolded: unfoldedKeys(session) }),
    activity: findActivity(messages),
    figures: sessionFigures({ ...session, messages: [...messages] }, costFigures(calls)),
  }
}

/** Figures of a session's head beyond its sums: what the cache saved, what was rewound, and where the time went. */
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

interface Shown {
  /** The inputs from which the messages were made, as text. */
  by: string
  messages: Message[]
}

/** The messages of open sessions as shown: made once, however many pages are requested. */
export class ShownMessages {
  readonly #shown = new WeakMap<Session, Shown>()

  /** Adds costs, links to these sub-agents, and what became of failed calls. */
  of(session: Session, prices: PriceOverrides | undefined, subagents: SubagentRef[]): Message[] {
    const by = JSON.stringify([prices, subagents])
    const known = this.#shown.get(session)
    if (known?.by === by) return known.messages
    const priced = priceMessages(session.messages, pricerOf(prices))
    const messages = linkFates(linkAgentCalls(priced, subagents), session)
    this.#shown.set(session, { by, messages })
    return messages
  }
}
