import type { SessionFailures } from '../../model/session-summary.ts'

/** Sum of two counts of failures, kind by kind. */
export function addFailures(a: SessionFailures, b: SessionFailures): SessionFailures {
  return {
    tools: a.tools + b.tools,
    refused: a.refused + b.refused,
    unanswered: a.unanswered + b.unanswered,
  }
}
