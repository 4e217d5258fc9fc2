import type { SessionRecord } from '@gemini-dash/session-index'
import { NO_COST, NO_USAGE, type SessionSummary } from 'gemini-sessions'

/** A session as stored in the index, for tests of the rows and the doctor. */
export function recordFixture(
  summary: Partial<SessionSummary> = {},
  fields: Partial<SessionRecord> = {},
): SessionRecord {
  return {
    summary: summaryFixture(summary),
    ownKeys: [],
    fileKeys: [],
    origin: null,
    requests: '',
    billedElsewhere: [],
    parentSessionId: null,
    agentIds: [],
    projectHash: null,
    forkedFrom: null,
    directories: [],
    buckets: [],
    reasons: '',
    tools: [],
    attachments: 0,
    issues: [],
    drift: [],
    ...fields,
  }
}

/**
 * A plain session for tests of lists and reports. Without sub-agents, unless `withSubagents` is given: its own calls and failures are all
 * there are.
 */
export function summaryFixture(fields: Partial<SessionSummary> = {}): SessionSummary {
  const usage = { ...NO_USAGE, input: 100, output: 10, total: 110, calls: 1 }
  const own = {
    recorded: { turns: 1, toolCalls: 0 },
    failures: { tools: 0, refused: 0, unanswered: 0 },
    ...fields,
  }
  return {
    key: 'key',
    sessionId: '4363c94e-b2c5-4034-b4ff-8148ed6493c9',
    kind: 'main',
    source: 'gemini-cli',
    parentKey: null,
    subagentKeys: [],
    sameRunKeys: [],
    project: { key: 'webshop-key', name: 'webshop', path: '/home/mia/code/webshop' },
    title: 'Fix price rounding',
    titleSource: 'prompt',
    startTime: '2026-11-20T10:00:00.000Z',
    endTime: '2026-11-20T11:00:00.000Z',
    lastUpdated: '2026-11-20T11:00:00.000Z',
    deletedAfter: null,
    mark: null,
    deletedSeen: null,
    deletedBy: null,
    copiedFrom: null,
    indexed: 'full',
    buried: false,
    empty: false,
    live: false,
    ended: null,
    verdict: { kind: 'finished', text: 'Finished', about: null, messageKey: null, waits: null, open: null },
    outcome: { kind: 'finished', text: 'Finished', messageKey: null },
    failures: own.failures,
    fates: { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 },
    issues: 0,
    firstPrompt: 'Fix the rounding',
    trace: [],
    models: [{ name: 'gemini-2.5-pro', calls: 1 }],
    counts: {
      messages: 2,
      prompts: 1,
      answers: 1,
      thoughts: 0,
      toolCalls: 0,
      toolErrors: 0,
      notices: 0,
      superseded: 0,
    },
    recorded: own.recorded,
    usage,
    liveUsage: usage,
    cost: { usd: 0.01, unpricedCalls: 0 },
    withSubagents: {
      usage,
      cost: { ...NO_COST, usd: 0.01 },
      toolCalls: own.recorded?.toolCalls ?? null,
      failures: own.failures,
    },
    files: [],
    ...fields,
  }
}
