import type { IndexGroup } from '@gemini-dash/session-index'

/** What is shown of a session that is written without pause is to be no older than this, as long as reading it takes less. */
const LAG_MS = 1_500

export interface ReadingsOptions {
  /** Has these groups read. */
  read: (groups: readonly IndexGroup[]) => void
  /** The group as it is on disk by now, where what was read of it is older; null: nothing more is to be read. */
  unread: (groupId: string) => IndexGroup | null
}

/**
 * Which groups are being read. A group that changes while it is read is read once more after that, as it is then, with a
 * pause before: a log that never stops growing costs a share of a processor, not all of it.
 */
export class Readings {
  readonly #options: ReadingsOptions
  /** As they were when they were asked for last. */
  readonly #asked = new Map<string, IndexGroup>()
  readonly #pauses = new Map<string, NodeJS.Timeout>()

  constructor(options: ReadingsOptions) {
    this.#options = options
  }

  /** Has groups read, also where an older state of them waits to be read. With none it still asks: that they are done. */
  restart(groups: readonly IndexGroup[]): void {
    this.#ask(groups.filter(({ id, fingerprint }) => this.#asked.get(id)?.fingerprint !== fingerprint))
  }

  /** The same, but what is being read, or was read just now, has its turn after that. */
  start(groups: readonly IndexGroup[]): void {
    const wanted = groups.filter(({ id }) => !this.#asked.has(id) && !this.#pauses.has(id))
    if (wanted.length > 0) this.#ask(wanted)
  }

  /** A group was read, as it was when it was asked for. */
  end(groupId: string, fingerprint: string, tookMs: number): void {
    // Asked for again meanwhile, as it is now: that reading follows.
    if (this.#asked.get(groupId)?.fingerprint !== fingerprint) return
    this.#asked.delete(groupId)
    this.#pauses.set(groupId, setTimeout(() => this.#readOn(groupId), pauseAfter(tookMs)).unref())
  }

  /** They were asked for and will not be read. */
  drop(groups: Iterable<IndexGroup>): void {
    for (const { id, fingerprint } of groups) {
      if (this.#asked.get(id)?.fingerprint === fingerprint) this.#asked.delete(id)
    }
  }

  forget(groupId: string): void {
    this.#asked.delete(groupId)
    clearTimeout(this.#pauses.get(groupId))
    this.#pauses.delete(groupId)
  }

  close(): void {
    for (const pause of this.#pauses.values()) clearTimeout(pause)
    this.#pauses.clear()
  }

  #readOn(groupId: string): void {
    this.#pauses.delete(groupId)
    const group = this.#options.unread(groupId)
    if (group !== null) this.start([group])
  }

  #ask(groups: readonly IndexGroup[]): void {
    for (const group of groups) this.#asked.set(group.id, group)
    this.#options.read(groups)
  }
}

/**
 * Twice as long as the reading, where what is shown then is no older than it may be: it was read one reading and one
 * pause before the next is begun, and that takes as long again. A long reading is followed by a short pause.
 */
function pauseAfter(tookMs: number): number {
  return Math.min(2 * tookMs, Math.max(LAG_MS - 2 * tookMs, tookMs / 4))
}
