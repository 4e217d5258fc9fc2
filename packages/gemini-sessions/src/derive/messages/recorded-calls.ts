import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'

/**
 * Tells of each call of a tool whether it stands there for the first time: copies repeat calls, and so does a rewrite under new
 * ids that is no exact copy (0.57+), while ids of calls never repeat. Every figure of "ever recorded" counts by this.
 */
export class RecordedCalls {
  readonly #counted = new Set<string>()

  /** Those of the next message, in recorded order. */
  newIn({ copyOf, toolCalls }: Pick<Message, 'copyOf' | 'toolCalls'>): ToolCall[] {
    if (copyOf !== null) return []
    return toolCalls.filter(({ id }) => {
      if (id === '') return true
      const isNew = !this.#counted.has(id)
      this.#counted.add(id)
      return isNew
    })
  }
}
