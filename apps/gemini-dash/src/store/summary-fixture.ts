import { NO_COST, NO_USAGE, type SessionSummary } from 'gemini-sessions'

/** A plain session for tests of lists and reports. */
export function summaryFixture(fields: Partial<SessionSummary> = {}): SessionSummary {
  const usage = { ...NO_USAGE, input: 100, output: 10, total: 110, calls: 1 }
  return {
    key: 'key',
    sessionId: '4363c94e-b2c5-4034-b4ff-8148ed6493c9',
    kind: 'main',
    parentKey: null,
    subagentKeys: [],
    sameRunKeys: [],
    project: { key: 'webshop-key', name: 'webshop', path: '/home/mia/code/webshop' },
    title: 'Fix price rounding',
    titleSource: 'prompt',
    startTime: '2026-11-20T10:00:00.000Z',
    endTime: '2026-11-20T11:00:00.000Z',
    lastUpdated: '2026-11-20T11:00:00.000Z',
    indexed: 'full',
    buried: false,
    live: false,
    ended: null,
    outcome: { kind: 'finished', text: 'Finished', messageKey: null },
    failures: { tools: 0, refused: 0, unanswered: 0 },
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
    recorded: { turns: 1, toolCalls: 0 },
    usage,
    liveUsage: usage,
    cost: { usd: 0.01, unpricedCalls: 0 },
    withSubagents: { usage, cost: { ...NO_COST, usd: 0.01 } },
    files: [],
    ...fields,
  }
}
