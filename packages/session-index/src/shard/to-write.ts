import type { PriceOverrides } from '@gemini-dash/pricing'
import { failedKeys, type Session } from 'gemini-sessions'
import { messageFacts, titleFacts } from '../rows/row-facts.ts'
import { toSessionRecord } from '../to-session-record.ts'
import type { SessionToWrite } from './plan-session.ts'

/** A session with what is derived from it. Brings the price list along, which a warm start does without. */
export function toWrite(session: Session, prices: PriceOverrides | undefined): SessionToWrite {
  const record = toSessionRecord(session, prices)
  const failed = failedKeys(session)
  return {
    session,
    record,
    facts: ({ message, pieces }) =>
      message === null ? titleFacts(record) : messageFacts(message, pieces, failed.has(message.key), prices),
  }
}
