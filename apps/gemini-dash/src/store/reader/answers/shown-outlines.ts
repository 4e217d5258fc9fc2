import { buildOutline, type Message, type Outline, type Session } from 'gemini-sessions'

/** The outlines of open sessions: made once, however many answers are made of them. */
export class ShownOutlines {
  /** By the list of messages, which `ShownMessages` makes anew for another reading and for other prices. */
  readonly #outlines = new WeakMap<readonly Message[], Outline>()

  of(session: Session, messages: Message[]): Outline {
    const known = this.#outlines.get(messages)
    if (known !== undefined) return known
    const outline = buildOutline({ ...session, messages })
    this.#outlines.set(messages, outline)
    return outline
  }
}
