import { plainText } from '../lift/parts/plain-text.ts'
import type { LogEntry } from '../row/log-entry.ts'

/** The empty notice that `/compress` leaves (0.18+). */
export function isCompressMark(entry: LogEntry | undefined): boolean {
  return entry?.type === 'info' && plainText(entry.content) === ''
}
