import type { PriceOverrides } from '@gemini-dash/pricing'
import { failedKeys, type Message, type Session } from 'gemini-sessions'
import { toSessionRecord } from '../../contract/to-session-record.ts'
import { messageFacts, titleFacts } from '../../rows/row-facts.ts'
import { ROW_FLAGS } from '../../rows/row-flags.ts'
import type { KnownTexts } from './known-texts.ts'
import type { SessionToWrite } from './plan-session.ts'

/** A session with what is derived from it. Brings the price list along, which a warm start does without. */
export function toWrite(
  session: Session,
  prices: PriceOverrides | undefined,
  texts: KnownTexts | null,
): SessionToWrite {
  const record = toSessionRecord(session, prices)
  const failureOf = failuresIn(session)
  return {
    session,
    record,
    facts: ({ message, pieces }) =>
      message === null ? titleFacts(record) : messageFacts(message, pieces, failureOf(message), prices),
    failureOf,
    texts,
  }
}

/** An unanswered prompt has a flag of its own: whether the session is still being written is known when somebody asks. */
function failuresIn(session: Session): (message: Message) => number {
  const failed = failedKeys(session, { isLive: true })
  const all = failedKeys(session)
  return ({ key }) => (failed.has(key) ? ROW_FLAGS.error : all.has(key) ? ROW_FLAGS.unanswered : 0)
}
