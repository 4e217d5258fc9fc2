import { toOrigin } from '../lift/prompt/to-origin.ts'
import type { LogEntry } from '../row/log-entry.ts'

/** A person or the model said it. */
export function isConversation(entry: LogEntry): boolean {
  const origin = toOrigin(entry.type, entry.content)
  return origin === 'human' || origin === 'model'
}
