import { type SessionRecord, SessionRecordBuilder } from '@gemini-dash/session-index'
import { unreadFiles } from 'gemini-sessions'
import type { OpenedSession } from './opened-session.ts'
import { feedMessages } from './walk-messages.ts'

/** What the index would say of the sessions in these files; null: not all of them can be read just now. */
export async function makeRecords(
  { place, shelved }: OpenedSession,
  _asked: object,
): Promise<SessionRecord[] | null> {
  const { files, loose } = place.source
  if (unreadFiles(shelved.sessions, loose === undefined ? files : []).length > 0) return null
  const records: SessionRecord[] = []
  for (const session of shelved.sessions) {
    const record = new SessionRecordBuilder(session, place.source.prices)
    await feedMessages(
      session.messages,
      (messages) => shelved.restore(messages),
      (messages) => record.add(messages),
    )
    records.push(record.finish())
  }
  return records
}
