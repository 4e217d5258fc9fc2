import { plainText } from '../lift/parts/plain-text.ts'
import { toOrigin } from '../lift/prompt/to-origin.ts'
import type { LogEntry } from '../row/log-entry.ts'

/** A person or the model said it. */
export function isConversation(entry: LogEntry): boolean {
  const origin = toOrigin(entry.type, entry.content)
  return origin === 'human' || origin === 'model'
}

/** What a compression made of all that stood before it (0.44+). */
export function isSnapshot(entry: LogEntry): boolean {
  return entry.type === 'user' && plainText(entry.content).trimStart().startsWith('<state_snapshot>')
}

/** The empty notice that `/compress` leaves (0.18+). */
export function isCompressMark(entry: LogEntry | undefined): boolean {
  return entry?.type === 'info' && plainText(entry.content) === ''
}
