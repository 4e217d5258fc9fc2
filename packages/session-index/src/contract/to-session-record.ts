import { LIST_PRICES, type PriceOverrides, priceCall, SessionSplitter } from '@gemini-dash/pricing'
import {
  agentIds,
  conversationOrigin,
  type Message,
  type PriceCall,
  requestIds,
  type Session,
  type SessionSummary,
  spentMessages,
  summarizeSession,
  ToolStatsBuilder,
  usageBuckets,
} from 'gemini-sessions'
import type { SessionRecord } from './session-record.ts'

const UNKNOWN_PROJECT = { key: '', name: '', path: null }

export function toSessionRecord(session: Session, prices: PriceOverrides = LIST_PRICES): SessionRecord {
  const builder = new SessionRecordBuilder(session, prices)
  builder.add(session.messages)
  return builder.finish()
}

/** Makes the record of a session that need not hold its texts: its messages are given in order, batch by batch, with all of them. */
export class SessionRecordBuilder {
  /** What needs none of the texts. */
  readonly summary: SessionSummary
  readonly #session: Session
  readonly #price: PriceCall
  readonly #split: SessionSplitter
  readonly #tools = new ToolStatsBuilder()
  readonly #isSpent: boolean

  constructor(session: Session, prices: PriceOverrides = LIST_PRICES) {
    this.#session = session
    this.#price = (call) => priceCall(call, prices)
    this.#split = new SessionSplitter(session, prices)
    this.#isSpent = spentMessages(session).length > 0
    this.summary = summarizeSession(session, { project: UNKNOWN_PROJECT, priceCall: this.#price })
  }

  add(messages: readonly Message[]): void {
    this.#split.add(messages)
    if (this.#isSpent) this.#tools.add(messages)
  }

  finish(): SessionRecord {
    const session = this.#session
    return {
      summary: this.summary,
      ownKeys: session.ownKeys,
      fileKeys: session.fileKeys,
      origin: conversationOrigin(session),
      requests: requestIds(session),
      billedElsewhere: session.billedElsewhere ?? [],
      parentSessionId: session.parentSessionId,
      agentIds: agentIds(session.messages),
      projectHash: session.projectHash,
      directories: session.directories,
      buckets: usageBuckets(session, this.#price, this.#split.finish()),
      tools: this.#tools.finish(),
      issues: session.issues,
      drift: session.drift,
    }
  }
}
