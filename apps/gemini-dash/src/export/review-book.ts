import type { ChangeExample, ExportReview } from '@gemini-dash/api'
import type { Change, LeftOut } from '@gemini-dash/redact'
import { changeId } from './redact-message.ts'

const MAX_EXAMPLES = 500
/** A private key needs not be read to be judged. */
const MAX_VALUE_LENGTH = 300

type Kind = ExportReview['changes'][number]['kind']

/** Collects what is taken out of a session, so that somebody can look at it before it leaves. */
export class ReviewBook {
  readonly #counts = new Map<Kind, number>()
  readonly #examples = new Map<Kind, Map<string, ChangeExample>>()
  readonly #leftOut = new Map<string, number>()

  /** @param messageKey null: title or place of the session */
  add(changes: readonly Change[], leftOut: readonly LeftOut[], messageKey: string | null): void {
    for (const change of changes) this.#addChange(change, messageKey)
    for (const { reason } of leftOut)
      this.#leave(reason === 'binary' ? 'binary text' : 'text too large to be examined', 1)
  }

  /** Pictures and files that leave by their names only. */
  addByName(count: number): void {
    if (count > 0) this.#leave('content of pictures and attached files', count)
  }

  review(): ExportReview {
    return {
      changes: [...this.#counts].map(([kind, count]) => ({
        kind,
        count,
        examples: [...(this.#examples.get(kind)?.values() ?? [])],
      })),
      leftOut: [...this.#leftOut].map(([what, count]) => ({ what, count })),
    }
  }

  #addChange({ kind, name, value, replacement, before, after }: Change, messageKey: string | null): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    const examples = this.#examples.get(kind) ?? new Map<string, ChangeExample>()
    this.#examples.set(kind, examples)
    const known = examples.get(value)
    if (known !== undefined) known.count += 1
    else if (examples.size < MAX_EXAMPLES) {
      examples.set(value, {
        id: changeId(value),
        name,
        value: value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value,
        replacement,
        before,
        after,
        messageKey,
        count: 1,
      })
    }
  }

  #leave(what: string, count: number): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count)
  }
}
