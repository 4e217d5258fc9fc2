import { plainText } from '../lift/parts/plain-text.ts'
import type { LogEntry } from '../row/log-entry.ts'

/** What a compression made of all that stood before it (0.44+). */
export function isSnapshot(entry: LogEntry): boolean {
  return entry.type === 'user' && plainText(entry.content).trimStart().startsWith('<state_snapshot>')
}
