import { LIST_PRICES, pricesStamp } from '@gemini-dash/pricing/overrides'
import type { GrowingSessionGroup } from 'gemini-sessions/node'
import type { IndexGroup } from '../contract/index-group.ts'
import { KnownTexts } from './known-texts.ts'

/** Makes what reads on where it ended. */
export type OpenGrowing = () => Promise<Pick<GrowingSessionGroup, 'read'>>

/** A group that is read on. */
export interface GrowingGroup extends Awaited<ReturnType<OpenGrowing>> {
  texts: KnownTexts
}

interface Kept {
  group: GrowingGroup
  prices: string
  sizeBytes: number
}

/** A reading holds about what its files say. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024
const MAX_KEPT_GROUPS = 16
/** A log that rested for so long is read whole when it goes on. */
const KEPT_MS = 60_000

/** The last readings of the groups that grew last, so that a log to which lines are added is not read from its beginning each time. */
export class GrowingGroups {
  readonly #open: OpenGrowing
  readonly #kept = new Map<string, Kept>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(open: OpenGrowing) {
    this.#open = open
  }

  /** null: it is to be read whole, as it is not one that grows. `before`: as it was when it was read last. */
  async of(group: IndexGroup, before: IndexGroup | undefined): Promise<GrowingGroup | null> {
    const { id } = group
    const known = this.#kept.get(id)
    const sizeBytes = group.files.reduce((sum, file) => sum + file.sizeBytes, 0)
    const isWanted = known !== undefined || (before !== undefined && hasGrown(before, group))
    this.forget(id)
    if (!isWanted || sizeBytes > MAX_KEPT_BYTES) return null
    const prices = pricesStamp(group.prices ?? LIST_PRICES)
    const texts = known?.prices === prices ? known.group.texts : new KnownTexts()
    const reading = known?.group ?? (await this.#open())
    const opened = { read: reading.read.bind(reading), texts }
    // Behind all others: the order is that of use.
    this.#kept.set(id, { group: opened, prices, sizeBytes })
    this.#timers.set(id, setTimeout(() => this.forget(id), KEPT_MS).unref())
    this.#dropOldest()
    return opened
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
