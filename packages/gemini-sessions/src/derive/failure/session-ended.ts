import type { Message } from '../../model/message.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { messageText } from '../messages/message-text.ts'
import { isRefusal } from './is-refusal.ts'

type Ended = SessionSummary['ended']

/**
 * How the session ended, if not well: `error` if the last word is an error notice, `stopped` if it is a cancelled or
 * aborted request or an answer cut by the token limit. Notices that tell of something else are passed over.
 */
export function sessionEnded(messages: readonly Message[]): Ended {
  for (const message of [...messages].reverse()) {
    const ended = endedBy(message)
    if (ended !== undefined) return ended
  }
  return null
}

/** undefined: this message does not say; look at the one before. */
function endedBy(message: Message): Ended | undefined {
  // After an abort the surviving history stands once more at the end, as copies.
  if (message.superseded === 'rewound' || message.copyOf !== null) return undefined
  if (message.superseded === 'aborted') return 'stopped'
  if (message.type === 'error') return isRefusal(message) ? 'error' : undefined
  if (message.origin === 'cli') return STOPPED.test(messageText(message)) ? 'stopped' : undefined
  if (message.origin === 'tool-result' || message.origin === 'injected') return undefined
  return message.toolCalls.some((call) => call.status === 'cancelled') ? 'stopped' : null
}

const STOPPED = /^Request cancelled|^Response (?:truncated|stopped) due to/i
