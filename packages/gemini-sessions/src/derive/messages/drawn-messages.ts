import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'

/** The messages that stand for the session: the live ones, or in a buried session those of its last conversation. */
export function drawnMessages(session: Pick<Session, 'messages' | 'drawnKeys'>): Message[] {
  const { drawnKeys, messages } = session
  if (drawnKeys === null) return messages.filter((message) => message.superseded === null)
  const drawn = new Set(drawnKeys)
  return messages.filter((message) => drawn.has(message.key))
}
