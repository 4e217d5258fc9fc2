import type { IndexedGroup } from '../contract/index-group.ts'
import type { HeldGroup } from '../shard/shard-message.ts'

/** Which groups a shard holds, as its threads told one after the other; and what that tells of groups that were lost. */
export class HeldGroups {
  #groups = new Map<string, string>()
  readonly #onLost: (groupIds: string[]) => void

  constructor(onLost: (groupIds: string[]) => void) {
    this.#onLost = onLost
  }

  /** Fingerprints by id. */
  get groups(): ReadonlyMap<string, string> {
    return this.#groups
  }

  note({ id, fingerprint, failure }: IndexedGroup): void {
    if (failure === null) this.#groups.set(id, fingerprint)
  }

  drop(groupIds: readonly string[]): void {
    for (const id of groupIds) this.#groups.delete(id)
  }

  /** A new thread tells what it found: a commit that was never made, or a file that is gone, has cost what it lacks. */
  replace(held: readonly HeldGroup[]): void {
    const earlier = this.#groups
    this.#groups = new Map(held)
    const lost = [...earlier].filter(([id, fingerprint]) => this.#groups.get(id) !== fingerprint)
    this.#tell(lost.map(([id]) => id))
  }

  lose(groupIds: readonly string[]): void {
    const lost = groupIds.filter((id) => this.#groups.delete(id))
    this.#tell(lost)
  }

  loseAll(): void {
    this.lose([...this.#groups.keys()])
  }

  #tell(lost: string[]): void {
    if (lost.length > 0) this.#onLost(lost)
  }
}
