import { type PriceOverrides, priceCall } from '@gemini-dash/pricing'
import {
  linkAgentCalls,
  linkFates,
  type Message,
  priceMessages,
  type Session,
  type SubagentRef,
} from 'gemini-sessions'

interface Shown {
  /** What the messages were made with, as text. */
  by: string
  messages: Message[]
}

/** The messages of open sessions as they are shown: made once, however many pages of them are asked for. */
export class ShownMessages {
  readonly #shown = new WeakMap<Session, Shown>()

  /** With their costs, links to these sub-agents, and the fates of failed calls. */
  of(session: Session, prices: PriceOverrides | undefined, subagents: SubagentRef[]): Message[] {
    const by = JSON.stringify([prices, subagents])
    const known = this.#shown.get(session)
    if (known?.by === by) return known.messages
    const priced = priceMessages(session.messages, (call) => priceCall(call, prices))
    const messages = linkFates(linkAgentCalls(priced, subagents), session)
    this.#shown.set(session, { by, messages })
    return messages
  }
}
