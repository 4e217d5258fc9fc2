import type { LogEntry } from '../row/log-entry.ts'
import { isConversation } from './entry-kinds.ts'

interface Node {
  readonly entry: LogEntry
  readonly previous: Node | null
  isSpoken: boolean
}

/**
 * The messages that the CLI holds, in its order. A chain from the last to the first: taking back a tail costs what is
 * taken, and an earlier state costs nothing to remember, however often a log is rewound.
 */
export class LiveList {
  readonly #byId = new Map<string, Node>()
  #last: Node | null = null
  #spokenCount = 0

  constructor(entries: Iterable<LogEntry> = []) {
    for (const entry of entries) this.set(entry)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  get(id: string): LogEntry | undefined {
    return this.#byId.get(id)?.entry
  }

  /** A person or the model said one of them. */
  get isConversation(): boolean {
    return this.#spokenCount > 0
  }

  /** Appends an entry; one that is in the list keeps its place. To be called whenever an entry has changed. */
  set(entry: LogEntry): void {
    let node = this.#byId.get(entry.id)
    if (!node) {
      node = { entry, previous: this.#last, isSpoken: false }
      this.#byId.set(entry.id, node)
      this.#last = node
    }
    const isSpoken = isConversation(entry)
    this.#spokenCount += Number(isSpoken) - Number(node.isSpoken)
    node.isSpoken = isSpoken
  }

  /** Takes off the entry and all behind it; all there are where the id is unknown. */
  cutFrom(id: string): LogEntry[] {
    const cut: LogEntry[] = []
    const end = this.#byId.get(id)?.previous ?? null
    for (let node = this.#last; node !== end && node !== null; node = node.previous) {
      this.#byId.delete(node.entry.id)
      this.#spokenCount -= Number(node.isSpoken)
      cut.push(node.entry)
    }
    this.#last = end
    return cut.reverse()
  }

  values(): LogEntry[] {
    return this.remember()()
  }

  /** Gives the list as it is now, whenever it is asked for. */
  remember(): () => LogEntry[] {
    const last = this.#last
    return () => {
      const entries: LogEntry[] = []
      for (let node = last; node !== null; node = node.previous) entries.push(node.entry)
      return entries.reverse()
    }
  }
}
