import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import { isDamagedSession } from './is-damaged-session.ts'

/**
 * The messages that count as spent. A saved chat repeats calls that its session has paid for; a damaged file may repeat
 * those of a whole one, and its figures are 0 (contract rule 7).
 */
export function spentMessages(session: Pick<Session, 'kind' | 'messages' | 'files'>): Message[] {
  return session.kind === 'checkpoint' || isDamagedSession(session) ? [] : session.messages
}
