import type { Message } from 'gemini-sessions'
import type { RowFacts } from '../rows/row-facts.ts'

/** What was made of a message when its group was read last. */
export interface KnownText {
  message: Message
  /** Flags of what failed at it. */
  failure: number
  facts: RowFacts
  /** Of the text that was indexed. */
  hash: string
}

/**
 * The messages of a group that grows, as they were indexed last: one that says the same again is not taken apart again.
 * Their texts are those that the reading holds, so knowing them costs little.
 */
export class KnownTexts {
  #known = new Map<string, KnownText>()
  #next = new Map<string, KnownText>()

  /** What is noted from now on replaces what is known, once it is kept. */
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

/** Of plain values. Most of their texts are the same strings in memory, so this takes no time. */
function saysTheSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && saysTheSame(a[name], b[name]))
  )
}

/** Or a list, whose places are its names. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
