import { LIST_PRICES, pricesStamp } from '@gemini-dash/pricing/overrides'
import type { Session } from 'gemini-sessions'
import type { GrowingSessionGroup } from 'gemini-sessions/node'
import type { HeldSessions, IndexGroup } from '../contract.ts'
import { KnownTexts } from './known-texts.ts'

/** Creates a reading that continues where it ended. */
export type OpenGrowing = () => Promise<Pick<GrowingSessionGroup, 'read' | 'putAside'>>

/** A group that is read incrementally. */
interface GrowingGroup {
  read: GrowingSessionGroup['read']
  texts: KnownTexts
}

interface Kept {
  reading: Awaited<ReturnType<OpenGrowing>>
  texts: KnownTexts
  prices: string
  sizeBytes: number
  /** Its last result, once that is stored. */
  last: { fingerprint: string; sessions: readonly Session[] } | null
}

/** A reading takes about the size of its files. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024
const MAX_KEPT_GROUPS = 16
/** A log idle for this long is read as a whole when it grows again. */
const KEPT_MS = 60_000

/** The last readings of recently grown groups, so that a growing log is not read from its beginning each time. */
export class GrowingGroups {
  readonly #open: OpenGrowing
  readonly #onRest: (groupId: string) => void
  readonly #kept = new Map<string, Kept>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  /** `onRest`: a group has not grown for a while; its data is dropped afterwards. */
  constructor(open: OpenGrowing, onRest: (groupId: string) => void) {
    this.#open = open
    this.#onRest = onRest
  }

  /** The stored sessions of an incrementally read group. null: not held, or stored in another state. */
  held(groupId: string, fingerprint: string): HeldSessions | null {
    const kept = this.#kept.get(groupId)
    if (kept?.last?.fingerprint !== fingerprint) return null
    return { sessions: kept.last.sessions, putAside: kept.reading.putAside }
  }

  /** Whether it is read incrementally: its new content takes little time. */
  has(groupId: string): boolean {
    return this.#kept.has(groupId)
  }

  /** The last result is stored now. */
  noteStored({ id, fingerprint }: IndexGroup, sessions: readonly Session[]): void {
    const kept = this.#kept.get(id)
    if (kept !== undefined) kept.last = { fingerprint, sessions }
  }

  /** null: it has not grown, so read it as a whole. `before`: its state when last read. */
  async of(group: IndexGroup, before: IndexGroup | undefined): Promise<GrowingGroup | null> {
    const { id } = group
    const known = this.#kept.get(id)
    const sizeBytes = group.files.reduce((sum, file) => sum + file.sizeBytes, 0)
    const isWanted = known !== undefined || (before !== undefined && hasGrown(before, group))
    this.forget(id)
    if (!isWanted || sizeBytes > MAX_KEPT_BYTES) return null
    const prices = pricesStamp(group.prices ?? LIST_PRICES)
    const texts = known?.prices === prices ? known.texts : new KnownTexts()
    const reading = known?.reading ?? (await this.#open())
    // Move to the end: the map is in order of use.
    this.#kept.set(id, { reading, texts, prices, sizeBytes, last: null })
    this.#timers.set(id, setTimeout(() => this.#rest(id), KEPT_MS).unref())
    this.#dropOldest()
    return { read: reading.read.bind(reading), texts }
  }

  #rest(groupId: string): void {
    this.#onRest(groupId)
    this.forget(groupId)
  }

  forget(groupId: string): void {
    clearTimeout(this.#timers.get(groupId))
    this.#timers.delete(groupId)
    this.#kept.delete(groupId)
  }

  #dropOldest(): void {
    let keptBytes = [...this.#kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const [id, { sizeBytes }] of this.#kept) {
      if (keptBytes <= MAX_KEPT_BYTES && this.#kept.size <= MAX_KEPT_GROUPS) return
      this.forget(id)
      keptBytes -= sizeBytes
    }
  }
}

/** One of its logs is the same file, and longer. */
function hasGrown(before: IndexGroup, now: IndexGroup): boolean {
  const sizes = new Map(
    before.files.map(({ absolutePath, inode, sizeBytes }) => [absolutePath + inode, sizeBytes]),
  )
  return now.files.some(
    ({ path, absolutePath, inode, sizeBytes }) =>
      path.endsWith('.jsonl') && sizeBytes > (sizes.get(absolutePath + inode) ?? sizeBytes),
  )
}
