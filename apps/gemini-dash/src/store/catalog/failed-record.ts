import type { SessionRecord } from '@gemini-dash/session-index'
import { NO_COST, NO_USAGE } from 'gemini-sessions'

const NO_COUNTS = {
  messages: 0,
  prompts: 0,
  answers: 0,
  thoughts: 0,
  toolCalls: 0,
  toolErrors: 0,
  notices: 0,
  superseded: 0,
}

/** The row of a session that could not be read whole, with the reason. */
export function failedRecord(record: SessionRecord, failure: string): SessionRecord {
  const reason = `Reading it failed: ${failure}`
  return {
    ...record,
    summary: {
      ...record.summary,
      indexed: 'full',
      outcome: { kind: 'empty', text: 'Reading it failed', messageKey: null },
      failures: { tools: 0, refused: 0, unanswered: 0 },
      issues: 1,
      models: [],
      counts: NO_COUNTS,
      recorded: { turns: 0, toolCalls: 0 },
      usage: NO_USAGE,
      liveUsage: NO_USAGE,
      cost: NO_COST,
      withSubagents: { usage: NO_USAGE, cost: NO_COST },
      files: record.summary.files.map((file) => ({ ...file, role: 'damaged' })),
    },
    issues: [{ code: 'unreadable', at: '', args: { reason }, file: record.summary.files[0]?.path ?? '' }],
  }
}
