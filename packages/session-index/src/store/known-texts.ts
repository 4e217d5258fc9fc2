import type { Message } from 'gemini-sessions'
import type { RowFacts } from '../rows.ts'

/** What was derived from a message when its group was last read. */
export interface KnownText {
  message: Message
  /** Its failure flags. */
  failure: number
  facts: RowFacts
  /** Position in the session. */
  place: number
  /** As in `SessionText`. */
  timeMs: number
  /** Of the indexed text. */
  hash: number
}

/**
 * The messages of a growing group, as last indexed, so that unchanged ones are not processed again. Their texts are shared with the
 * reading, so this costs little memory.
 */
export class KnownTexts {
  #known = new Map<string, KnownText>()
  #next = new Map<string, KnownText>()

  /** Starts a new set, which replaces the known one once it is kept. */
  begin(): void {
    this.#next = new Map()
  }

  find(sessionKey: string, message: Message, failure: number): KnownText | null {
    const known = this.#known.get(nameOf(sessionKey, message))
    if (known === undefined || known.failure !== failure) return null
    return saysTheSame(known.message, message) ? known : null
  }

  note(sessionKey: string, text: KnownText): void {
    this.#next.set(nameOf(sessionKey, text.message), text)
  }

  keep(): void {
    this.#known = this.#next
    this.#next = new Map()
  }
}

function nameOf(sessionKey: string, { key }: Message): string {
  return `${sessionKey}\n${key}`
}

/** Compares plain values. Most of their texts are the same strings in memory, so this is fast. */
function saysTheSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && saysTheSame(a[name], b[name]))
  )
}

/** Or an array, with its indexes as names. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
