import { priceCall } from '@gemini-dash/pricing'
import { agentIds, type Session, summarizeSession, toolStats, usageBuckets } from 'gemini-sessions'
import type { SessionRecord } from './session-record.ts'

const UNKNOWN_PROJECT = { key: '', name: '', path: null }

export function toSessionRecord(session: Session): SessionRecord {
  return {
    summary: summarizeSession(session, { project: UNKNOWN_PROJECT, priceCall }),
    ownKeys: session.ownKeys,
    parentSessionId: session.parentSessionId,
    agentIds: agentIds(session.messages),
    projectHash: session.projectHash,
    directories: session.directories,
    buckets: usageBuckets(session, priceCall),
    tools: toolStats(session),
    issues: session.issues,
    drift: session.drift,
  }
}
