import type { PriceOverrides } from '@gemini-dash/pricing'
import { failedKeys, type Message, type Session } from 'gemini-sessions'
import type { SessionRecord } from '../contract.ts'
import { messageFacts, ROW_FLAGS, titleFacts } from '../rows.ts'
import { SessionRecordBuilder } from '../to-session-record.ts'
import type { SessionToWrite } from './plan-session.ts'
import { wholeMessages } from './session-texts.ts'

/** A session with its derived data. Loads the price list, which a warm start does not need. */
export function toWrite(
  session: Session,
  prices: PriceOverrides | undefined,
  { texts, whole }: Pick<SessionToWrite, 'texts' | 'whole'>,
): SessionToWrite {
  const failureOf = failuresIn(session)
  return {
    session,
    startRecord: () => new SessionRecordBuilder(session, prices),
    facts: ({ message, pieces }, summary) =>
      message === null ? titleFacts(summary) : messageFacts(message, pieces, failureOf(message), prices),
    failureOf,
    texts,
    whole,
  }
}

/** For a session that is not written. */
export async function recordAlone(toWrite: SessionToWrite): Promise<SessionRecord> {
  const record = toWrite.startRecord()
  for await (const messages of wholeMessages(toWrite)) record.add(messages)
  return record.finish()
}

/** An unanswered prompt has a separate flag: whether the session is still being written is only known at query time. */
function failuresIn(session: Session): (message: Message) => number {
  const failed = failedKeys(session, { isLive: true })
  const all = failedKeys(session)
  return ({ key }) => (failed.has(key) ? ROW_FLAGS.error : all.has(key) ? ROW_FLAGS.unanswered : 0)
}
