import type { IndexGroup } from '../contract/index-group.ts'

interface Update {
  id: number
  waitingFor: number
  resolve: () => void
}

export interface QueuedGroup {
  group: IndexGroup
  /** That asked for it; more than one where a later one asked while it was being read. */
  updates: Update[]
}

/**
 * Groups that wait to be indexed. Updates take turns, a group each: what changed just now waits for no whole home, and
 * sessions that grow without pause keep nothing else waiting. Within an update the given order holds.
 */
export class GroupQueue {
  /** The one whose turn is next comes first. */
  readonly #updates: Map<string, QueuedGroup>[] = []
  /** Given out last, until it is done. */
  #running: QueuedGroup | null = null

  /** Resolves when each group is done or has been replaced by a later update of the same id. */
  add(updateId: number, groups: IndexGroup[]): Promise<void> {
    return new Promise((resolve) => {
      const update = { id: updateId, waitingFor: groups.length, resolve }
      if (groups.length === 0) resolve()
      const waiting = groups.filter(
        (group) => !this.#takePlace(group, update) && !this.#joinRunning(group, update),
      )
      this.#updates.push(new Map(waiting.map((group) => [group.id, { group, updates: [update] }])))
    })
  }

  /** A group that waits already is read in that place, as it is asked for now. */
  #takePlace(group: IndexGroup, update: Update): boolean {
    for (const groups of this.#updates) {
      const queued = groups.get(group.id)
      if (queued === undefined) continue
      groups.set(group.id, { group, updates: [update] })
      this.done(queued)
      return true
    }
    return false
  }

  /** What is being read as it is asked for is not read twice. */
  #joinRunning({ id, fingerprint }: IndexGroup, update: Update): boolean {
    const running = this.#running
    if (running?.group.id !== id || running.group.fingerprint !== fingerprint) return false
    running.updates.push(update)
    return true
  }

  /** Forgets groups that nobody wants any more. */
  drop(groupIds: string[]): void {
    for (const groups of this.#updates) {
      for (const id of groupIds) {
        const queued = groups.get(id)
        if (queued !== undefined) {
          groups.delete(id)
          this.done(queued)
        }
      }
    }
  }

  get isEmpty(): boolean {
    return this.#updates.every((groups) => groups.size === 0)
  }

  next(): QueuedGroup | undefined {
    for (let update = this.#updates.shift(); update !== undefined; update = this.#updates.shift()) {
      for (const [id, queued] of update) {
        update.delete(id)
        if (update.size > 0) this.#updates.push(update)
        this.#running = queued
        return queued
      }
    }
    return undefined
  }

  done(queued: QueuedGroup): void {
    if (this.#running === queued) this.#running = null
    for (const update of queued.updates) {
      update.waitingFor -= 1
      if (update.waitingFor === 0) update.resolve()
    }
  }
}
