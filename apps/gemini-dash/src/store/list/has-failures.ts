import type { SessionSummary } from 'gemini-sessions'

/** Whether anything failed in a session, as far as it is read. */
export function hasFailures({ failures }: Pick<SessionSummary, 'failures'>): boolean {
  return failures !== null && failures.tools + failures.refused + failures.unanswered > 0
}
