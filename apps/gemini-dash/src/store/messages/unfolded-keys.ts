import { findFailures, type Session } from 'gemini-sessions'

/**
 * Keys of messages that the CLI holds no more and that are read like the rest all the same: those of a buried session's last
 * conversation, and what went because its request failed, which no person took back.
 */
export function unfoldedKeys(session: Pick<Session, 'kind' | 'messages' | 'files' | 'drawnKeys'>): string[] {
  const dropped = findFailures(session).turns.flatMap(({ dropped }) => dropped.map(({ key }) => key))
  return [...(session.drawnKeys ?? []), ...dropped]
}
