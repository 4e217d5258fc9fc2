import { priceCall } from '@gemini-dash/pricing'
import { type Session, summarizeSession, toolStats, usageBuckets } from 'gemini-sessions'
import type { SessionRecord } from './session-record.ts'

const UNKNOWN_PROJECT = { key: '', name: '', path: null }

export function toSessionRecord(session: Session): SessionRecord {
  const agentIds = session.messages.flatMap(({ toolCalls }) =>
    toolCalls.flatMap(({ agentId }) => agentId ?? []),
  )
  return {
    summary: summarizeSession(session, { project: UNKNOWN_PROJECT, priceCall }),
    ownKeys: session.ownKeys,
    parentSessionId: session.parentSessionId,
    agentIds: [...new Set(agentIds)],
    projectHash: session.projectHash,
    directories: session.directories,
    buckets: usageBuckets(session, priceCall),
    tools: toolStats(session),
    issues: session.issues,
    drift: session.drift,
  }
}
