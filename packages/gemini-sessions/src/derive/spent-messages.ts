import type { Message } from '../model/message.ts'
import type { Session } from '../model/session.ts'

/** The messages that count as spent. A saved chat repeats calls that its session has paid for. */
export function spentMessages({ kind, messages }: Pick<Session, 'kind' | 'messages'>): Message[] {
  return kind === 'checkpoint' ? [] : messages
}
