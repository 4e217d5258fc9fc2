import { toOrigin } from './lift/to-origin.ts'
import type { LogEntry } from './log-entry.ts'

/** A person or the model said it. */
export function isConversation(entry: LogEntry): boolean {
  const origin = toOrigin(entry.type, entry.content)
  return origin === 'human' || origin === 'model'
}
