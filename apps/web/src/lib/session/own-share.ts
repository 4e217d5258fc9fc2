import type { SessionSummary } from 'gemini-sessions'
import { formatCount, formatExactUsd } from '../figures/format.ts'

/** How much of its figures is a session's own, in words for the tooltips beside them. */
export interface OwnShare {
  toolCalls: string
  failures: string
  tokens: string
  cost: string
}

type Session = Pick<SessionSummary, 'subagentKeys' | 'usage' | 'cost' | 'recorded' | 'failures'>

/** null: it started no sub-agent, so all of its figures are its own. */
export function ownShare({ subagentKeys, usage, cost, recorded, failures }: Session): OwnShare | null {
  if (subagentKeys.length === 0) return null
  const failed = failures === null ? null : failures.tools + failures.refused + failures.unanswered
  return {
    toolCalls: ownWords(formatCount(recorded?.toolCalls)),
    failures: ownWords(formatCount(failed)),
    tokens: ownWords(formatCount(usage?.total)),
    cost: ownWords(cost?.usd == null ? '-' : formatExactUsd(cost.usd)),
  }
}

/** How a figure with sub-agents tells the session's own share. */
export function ownWords(own: string): string {
  return `of which own: ${own}`
}

/** `$0.680727 at list price, of which own: …`; as it is where nothing is to be added. */
export function withOwn(title: string | undefined, own: string | undefined): string | undefined {
  return title === undefined || title === '' ? own : own === undefined ? title : `${title}, ${own}`
}
