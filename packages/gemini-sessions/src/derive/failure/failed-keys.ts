import type { Session } from '../../model/session.ts'
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
