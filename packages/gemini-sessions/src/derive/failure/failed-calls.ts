import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'
import { findFailures } from './find-failures.ts'

/**
 * Keys of the messages where something failed: what steps, filters and searches for errors lead to. While a session
 * is written (`isLive`), a prompt that nothing answered may yet be.
 */
export function failedKeys(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { isLive = false }: { isLive?: boolean } = {},
): Set<string> {
  const { refusals, turns } = findFailures(session)
  // Also where a call is drawn a second time: a copy is what the page shows of it.
  const calls = session.messages.filter(({ toolCalls }) => toolCalls.some(({ failed }) => failed))
  return new Set([
    ...calls.map(({ key }) => key),
    ...refusals.map(({ key }) => key),
    // Where a notice says why, that is the place to go to.
    ...turns.flatMap(({ prompt, refusal }) => (refusal === null && !isLive ? prompt.key : [])),
  ])
}

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
