import type { Message } from 'gemini-sessions'
import { type Written, write } from '../../messages/written.ts'

/** Answers about the whole of open sessions, which pages ask for again and again: made and written once. */
export class WrittenAnswers {
  /** By the list of messages, which `ShownMessages` makes anew for another reading and for other prices. */
  readonly #answers = new WeakMap<readonly Message[], Map<string, Written<unknown>>>()

  of<Answer>(messages: readonly Message[], name: string, make: () => Answer): Written<Answer> {
    const { json } = this.#answers.get(messages)?.get(name) ?? this.keep(messages, name, write(make()))
    return { json }
  }

  /** The answer is known already. */
  keep<Answer>(messages: readonly Message[], name: string, written: Written<Answer>): Written<Answer> {
    const answers = this.#answers.get(messages) ?? new Map<string, Written<unknown>>()
    this.#answers.set(messages, answers)
    answers.set(name, written)
    return written
  }
}
