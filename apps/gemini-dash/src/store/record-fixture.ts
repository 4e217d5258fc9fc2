import type { SessionRecord } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import { summaryFixture } from './summary-fixture.ts'

/** A session as the index remembers it, for tests of the catalog and the doctor. */
export function recordFixture(
  summary: Partial<SessionSummary> = {},
  fields: Partial<SessionRecord> = {},
): SessionRecord {
  return {
    summary: summaryFixture(summary),
    ownKeys: [],
    parentSessionId: null,
    agentIds: [],
    projectHash: null,
    directories: [],
    buckets: [],
    tools: [],
    issues: [],
    drift: [],
    ...fields,
  }
}
