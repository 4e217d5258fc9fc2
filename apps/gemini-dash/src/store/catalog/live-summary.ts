import type { SessionSummary } from 'gemini-sessions'

/** The row of a session that is being written: its last prompt may yet be answered, and how it ends is open. */
export function liveSummary(summary: SessionSummary): SessionSummary {
  const { failures } = summary
  return {
    ...summary,
    live: true,
    outcome: { kind: 'live', text: 'Being written now', messageKey: null },
    failures: failures === null ? null : { ...failures, unanswered: 0 },
  }
}
