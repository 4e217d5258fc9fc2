import type { SessionRecord } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'

/** A session as the usage report needs it. */
export interface UsageSource {
  summary: SessionSummary
  /** The session at the top of those that started it, which the figures count for: itself, unless it is a sub-agent. */
  owner: SessionSummary
  buckets: SessionRecord['buckets']
  tools: SessionRecord['tools']
}

/** The sources of these sessions, each with its owner. A sub-agent whose main session is gone is its own. */
export function toUsageSources(
  sessions: readonly { summary: SessionSummary; record: Pick<SessionRecord, 'buckets' | 'tools'> }[],
): UsageSource[] {
  const byKey = new Map(sessions.map(({ summary }) => [summary.key, summary]))
  const ownerOf = (summary: SessionSummary): SessionSummary => {
    const parent = summary.parentKey === null ? undefined : byKey.get(summary.parentKey)
    return parent === undefined ? summary : ownerOf(parent)
  }
  return sessions.map(({ summary, record: { buckets, tools } }) => ({
    summary,
    owner: ownerOf(summary),
    buckets,
    tools,
  }))
}
