import {
  ContextXrayBuilder,
  type CostSplit,
  type Message,
  type Session,
  spentMessages,
} from 'gemini-sessions'
import { priceCall } from '../cost/price-call.ts'
import { LIST_PRICES, type PriceOverrides } from '../overrides/price-overrides.ts'
import { splitCalls } from './split-calls.ts'

/** Of a session that is held with all its texts: tells of each message where what it cost went. */
export function splitSession(
  session: Session,
  prices: PriceOverrides = LIST_PRICES,
): (message: Message) => CostSplit | null {
  const splitter = new SessionSplitter(session, prices)
  splitter.add(session.messages)
  return splitter.finish()
}

/** The same of a session that does not hold its texts: its messages are given in order, batch by batch, with all of them. */
export class SessionSplitter {
  readonly #messages: readonly Message[]
  readonly #prices: PriceOverrides
  /** null: nothing of it has a price. */
  readonly #builder: ContextXrayBuilder | null

  constructor(session: Session, prices: PriceOverrides = LIST_PRICES) {
    this.#messages = spentMessages(session)
    this.#prices = prices
    const isPriced = this.#messages.some(
      (message) => message.usage !== null && priceCall(message, prices) !== null,
    )
    this.#builder = isPriced ? new ContextXrayBuilder(session, { hasItems: false }) : null
  }

  add(messages: readonly Message[]): void {
    this.#builder?.add(messages)
  }

  /** Of the messages that the session holds. */
  finish(): (message: Message) => CostSplit | null {
    if (this.#builder === null) return () => null
    // what was sent is asked, not what sending it cost: the calls are priced below
    const xray = this.#builder.finish(() => null)
    const split = splitCalls(this.#messages, xray, this.#prices)
    const splits = new Map(split.map(({ message, split }) => [message, split]))
    return (message) => splits.get(message) ?? null
  }
}
