import { LIST_PRICES, type PriceOverrides, pricerOf, ReasonFinder } from '@gemini-dash/pricing'
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
import type { SessionRecord } from './contract.ts'

const UNKNOWN_PROJECT = { key: '', name: '', path: null }

export function toSessionRecord(session: Session, prices: PriceOverrides = LIST_PRICES): SessionRecord {
  const builder = new SessionRecordBuilder(session, prices)
  builder.add(session.messages)
  return builder.finish()
}

/** Builds the record of a session that need not hold its texts: its complete messages are passed in order, batch by batch. */
export class SessionRecordBuilder {
  /** Everything that needs no texts. */
  readonly summary: SessionSummary
  readonly #session: Session
  readonly #price: PriceCall
  readonly #reasons: ReasonFinder
  readonly #tools = new ToolStatsBuilder()
  readonly #isSpent: boolean
  #attachments = 0

  constructor(session: Session, prices: PriceOverrides = LIST_PRICES) {
    this.#session = session
    this.#price = pricerOf(prices)
    this.#reasons = new ReasonFinder(session, prices)
    this.#isSpent = spentMessages(session).length > 0
    this.summary = summarizeSession(session, { project: UNKNOWN_PROJECT, priceCall: this.#price })
  }

  add(messages: readonly Message[]): void {
    this.#reasons.add(messages)
    if (this.#isSpent) this.#tools.add(messages)
    for (const message of messages) this.#attachments += countAttachments(message)
  }

  finish(): SessionRecord {
    const session = this.#session
    const { reasons, paidFor } = this.#reasons.finish()
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
      forkedFrom: session.forkedFrom ?? null,
      directories: session.directories,
      buckets: usageBuckets(session, this.#price, paidFor),
      reasons: reasons === null ? '' : JSON.stringify(reasons),
      tools: this.#tools.finish(),
      attachments: this.#attachments,
      issues: session.issues,
      drift: session.drift,
    }
  }
}

/** Attachments from the user; context added by the CLI has no path. */
function countAttachments({ origin, copyOf, attachments, content }: Message): number {
  if (origin !== 'human' || copyOf !== null) return 0
  const files = attachments.filter(({ path }) => path !== '').length
  return files + content.filter(({ kind }) => kind === 'image' || kind === 'audio' || kind === 'file').length
}

/** FNV-1a of a group's id, 32 bits: determines its shard, and identifies it in search cursors. */
export function hashGroup(groupId: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < groupId.length; index++) {
    hash = Math.imul(hash ^ groupId.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash
}
