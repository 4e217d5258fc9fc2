import type { SessionRecord } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'

/** A session as the usage report needs it. */
export interface UsageSource {
  summary: SessionSummary
  buckets: SessionRecord['buckets']
  tools: SessionRecord['tools']
}
