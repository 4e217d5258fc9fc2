import type { SessionDetail } from '@gemini-dash/api'
import { findFailures, type Session } from 'gemini-sessions'

/** The prompts of a session that have no answer though nobody took them back, by their keys and the keys of what says why. */
export function unansweredPrompts(session: Session): SessionDetail['unanswered'] {
  return findFailures(session).unanswered.map(({ prompt, refusal }) => ({
    messageKey: prompt.key,
    noticeKey: refusal?.key ?? null,
  }))
}
