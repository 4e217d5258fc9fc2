import type { PriceOverrides } from '@gemini-dash/pricing'
import { failedKeys, type Message, type Session } from 'gemini-sessions'
import { messageFacts, titleFacts } from '../rows/row-facts.ts'
import { toSessionRecord } from '../to-session-record.ts'
import type { KnownTexts } from './known-texts.ts'
import type { SessionToWrite } from './plan-session.ts'

/** A session with what is derived from it. Brings the price list along, which a warm start does without. */
export function toWrite(
  session: Session,
  prices: PriceOverrides | undefined,
  texts: KnownTexts | null,
): SessionToWrite {
  const record = toSessionRecord(session, prices)
  const failed = failedKeys(session)
  const isFailed = ({ key }: Message) => failed.has(key)
  return {
    session,
    record,
    facts: ({ message, pieces }) =>
      message === null ? titleFacts(record) : messageFacts(message, pieces, isFailed(message), prices),
    isFailed,
    texts,
  }
}
