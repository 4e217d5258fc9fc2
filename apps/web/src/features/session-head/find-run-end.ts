import type { SessionActivity } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'

export interface RunState {
  state: SessionActivity['state']
  ended: SessionSummary['ended']
}

/** What a reader who is elsewhere wants to be told of, between two looks at a session; null if nothing. */
export function findRunEnd(before: RunState, now: RunState): string | null {
  if (before.ended === null && now.ended === 'error') return 'The run ended with an error.'
  if (before.ended === null && now.ended === 'stopped') return 'The run was stopped.'
  const wasRunning = before.state === 'asked' || before.state === 'calling'
  return now.ended === null && wasRunning && now.state === 'answered' ? 'The model answered.' : null
}
