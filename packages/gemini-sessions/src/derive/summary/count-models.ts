import type { Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isModelCall } from '../messages/is-model-call.ts'
import { spentMessages } from '../messages/spent-messages.ts'

/** Models by calls, the busiest first; in a buried session those of the drawn state. */
export function countModels(session: Session): NonNullable<SessionSummary['models']> {
  const calls = new Map<string, number>()
  for (const message of session.buried ? drawnMessages(session) : spentMessages(session)) {
    if (message.model === null || !isModelCall(message)) continue
    calls.set(message.model, (calls.get(message.model) ?? 0) + 1)
  }
  return [...calls]
    .map(([name, count]) => ({ name, calls: count }))
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
}
