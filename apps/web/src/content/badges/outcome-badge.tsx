import type { SessionSummary } from 'gemini-sessions'
import { Badge } from '../../ui/signs/badge.tsx'

/** How a session ended, where it did not end well; pointed at it says why. */
export function OutcomeBadge({ outcome }: { outcome: SessionSummary['outcome'] }) {
  switch (outcome?.kind) {
    case 'stopped':
      return <Badge title={outcome.text}>Stopped</Badge>
    case 'error':
      return (
        <Badge tone="error" title={outcome.text}>
          Ended in an error
        </Badge>
      )
    case 'unanswered':
      return (
        <Badge tone="error" title={outcome.text}>
          No answer
        </Badge>
      )
    default:
      return null
  }
}
