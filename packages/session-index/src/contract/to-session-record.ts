import { LIST_PRICES, type PriceOverrides, priceCall, splitSession } from '@gemini-dash/pricing'
import {
  agentIds,
  type PriceCall,
  type Session,
  summarizeSession,
  toolStats,
  usageBuckets,
} from 'gemini-sessions'
import type { SessionRecord } from './session-record.ts'

const UNKNOWN_PROJECT = { key: '', name: '', path: null }

export function toSessionRecord(session: Session, prices: PriceOverrides = LIST_PRICES): SessionRecord {
  const price: PriceCall = (call) => priceCall(call, prices)
  return {
    summary: summarizeSession(session, { project: UNKNOWN_PROJECT, priceCall: price }),
    ownKeys: session.ownKeys,
    parentSessionId: session.parentSessionId,
    agentIds: agentIds(session.messages),
    projectHash: session.projectHash,
    directories: session.directories,
    buckets: usageBuckets(session, price, splitSession(session, prices)),
    tools: toolStats(session),
    issues: session.issues,
    drift: session.drift,
  }
}
