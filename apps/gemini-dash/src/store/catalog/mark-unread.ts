import type { SessionRecord } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'

/** The rows of a group some of whose files cannot be read just now. `isKnown`: they are what was read of it before. */
export function markUnread(
  records: readonly SessionRecord[],
  files: readonly UnreadFile[],
  isKnown: boolean,
): SessionRecord[] {
  const code = files[0]?.code ?? ''
  return records.map((record) => {
    const { endTime, lastUpdated, startTime } = record.summary
    const asOf = isKnown ? (endTime ?? lastUpdated ?? startTime) : null
    return { ...record, summary: { ...record.summary, unread: { files: files.length, code, asOf } } }
  })
}

export function withoutUnread(records: readonly SessionRecord[]): SessionRecord[] {
  return records.map((record) => {
    const { unread: _, ...summary } = record.summary
    return { ...record, summary }
  })
}

/** Rows that were read whole at some time, so that they are better than nothing. */
export function areKnown(records: readonly SessionRecord[]): boolean {
  return (
    records.length > 0 &&
    records.every(({ summary }) => summary.indexed === 'full' && summary.unread?.asOf !== null)
  )
}
