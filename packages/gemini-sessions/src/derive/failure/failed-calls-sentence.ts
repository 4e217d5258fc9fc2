import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'

/**
 * `4 of 32 tool calls failed, the last one recovered`, and the message with the first of them; null where none failed. One
 * has recovered when a later call of the same tool went well, whoever repeated it.
 */
export function failedCallsSentence(
  session: Pick<Session, 'messages' | 'files'>,
): { text: string; messageKey: string } | null {
  const calls = isDamagedSession(session) ? [] : recordedCalls(session.messages)
  const failed = calls.filter(({ call }) => call.failed)
  const [first] = failed
  const last = failed.at(-1)
  if (first === undefined || last === undefined) return null
  const hasRecovered = calls
    .slice(calls.indexOf(last) + 1)
    .some(({ call: { name, status } }) => name === last.call.name && status === 'success')
  const recovered = failed.length === 1 ? 'it recovered' : 'the last one recovered'
  const count = `${failed.length} of ${calls.length === 1 ? '1 tool call' : `${calls.length} tool calls`} failed`
  return { text: hasRecovered ? `${count}, ${recovered}` : count, messageKey: first.messageKey }
}

function recordedCalls(messages: readonly Message[]) {
  const recorded = new RecordedCalls()
  return messages.flatMap((message) =>
    recorded.newIn(message).map((call) => ({ call, messageKey: message.key })),
  )
}
