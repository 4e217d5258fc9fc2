import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { SessionCounts } from '../../model/session-summary.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isPrompt } from '../messages/is-prompt.ts'

/** Counts of contract rules 7 and 13: 0 of a damaged file; else all of the live messages (buried: of the drawn state) but `messages` and `superseded`. */
export function countMessages(session: Session): SessionCounts {
  const messages = isDamagedSession(session) ? [] : session.messages
  const drawn = withoutRepeats(drawnMessages({ ...session, messages }))
  const toolCalls = drawn.flatMap((message) => message.toolCalls)
  return {
    messages: messages.length,
    prompts: drawn.filter(isPrompt).length,
    answers: drawn.filter(isAnswer).length,
    thoughts: drawn.reduce((sum, message) => sum + message.thoughts.length, 0),
    toolCalls: toolCalls.length,
    toolErrors: toolCalls.filter((call) => call.failed).length,
    notices: drawn.filter(isNotice).length,
    superseded: messages.filter((message) => message.superseded !== null).length,
  }
}

/** A live copy stands for its original, unless that is drawn as well (one id twice in a JSON file). */
function withoutRepeats(drawn: readonly Message[]): Message[] {
  const keys = new Set(drawn.map(({ key }) => key))
  return drawn.filter(({ copyOf }) => copyOf === null || !keys.has(copyOf))
}

function isAnswer({ origin, content }: Message): boolean {
  return origin === 'model' && content.some((part) => part.kind === 'text' && /\S/.test(part.text))
}

function isNotice({ type }: Message): boolean {
  return type === 'info' || type === 'error' || type === 'warning'
}
