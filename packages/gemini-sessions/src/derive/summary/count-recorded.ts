import type { Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isPrompt } from '../messages/is-prompt.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'

/** Turns and calls of tools that were ever recorded: what the turns of the outline add up to. A damaged file's calls are not counted. */
export function countRecorded(session: Session): NonNullable<SessionSummary['recorded']> {
  const calls = new RecordedCalls()
  const counted = isDamagedSession(session) ? [] : session.messages
  return {
    turns: session.messages.filter(isPrompt).length,
    toolCalls: counted.reduce((sum, message) => sum + calls.newIn(message).length, 0),
  }
}
