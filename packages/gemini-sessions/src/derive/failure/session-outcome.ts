import type { Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { isConversationMessage } from '../messages/is-conversation-message.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isPrompt } from '../messages/is-prompt.ts'
import { failedTurnSentence } from './failed-turn-sentence.ts'
import { findFailures } from './find-failures.ts'
import { refusalSentence } from './refusal-sentence.ts'
import { sessionEnded } from './session-ended.ts'

type Outcome = NonNullable<SessionSummary['outcome']>

/** How the session ended, with a sentence and the message that tells. `live` is set by whoever watches the files. */
export function sessionOutcome(session: Session): Outcome {
  const { messages } = session
  if (isDamagedSession(session)) return outcome('empty', 'Its file is damaged')
  if (!messages.some(isConversationMessage)) return outcome('empty', 'Nothing was said')
  if (session.kind === 'checkpoint') return outcome('finished', 'A chat that was saved')
  if (session.kind === 'prompts-only') return outcome('finished', 'Only what was typed is left')
  const { turns, refusals } = findFailures(session)
  const last = turns.at(-1)
  if (last !== undefined && last.prompt === messages.findLast(isPrompt)) {
    const text = failedTurnSentence(last)
    if (last.refusal === null) return outcome('unanswered', text, last.prompt.key)
    return outcome('error', text, last.refusal.key)
  }
  const ended = sessionEnded(messages)
  const refusal = refusals.at(-1)
  if (ended === 'error' && refusal !== undefined)
    return outcome('error', `Ended early: ${refusalSentence(refusal)}`, refusal.key)
  if (ended === 'stopped')
    return outcome('stopped', 'Stopped before the answer was complete', messages.at(-1)?.key)
  return outcome('finished', 'Finished')
}

function outcome(kind: Outcome['kind'], text: string, messageKey: string | null = null): Outcome {
  return { kind, text, messageKey }
}
