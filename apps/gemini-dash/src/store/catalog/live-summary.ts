import type { SessionSummary } from 'gemini-sessions'

/** The row of a session that is being written: its last prompt may yet be answered, and how it ends is open. */
export function liveSummary(summary: SessionSummary): SessionSummary {
  const { failures, withSubagents } = summary
  const open = failures?.unanswered ?? 0
  return {
    ...summary,
    live: true,
    outcome: { kind: 'live', text: 'Being written now', messageKey: null },
    failures: withoutOpen(failures, open),
    withSubagents: { ...withSubagents, failures: withoutOpen(withSubagents.failures, open) },
  }
}

function withoutOpen(failures: SessionSummary['failures'], open: number): SessionSummary['failures'] {
  return failures === null ? null : { ...failures, unanswered: failures.unanswered - open }
}
