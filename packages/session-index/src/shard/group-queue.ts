import type { IndexGroup } from '../index-group.ts'

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
 * Groups that wait to be indexed. An update made later goes first: it is what changed just now, while the
 * first one is the whole home. Within an update the given order holds.
 */
export class GroupQueue {
  readonly #updates: Map<string, QueuedGroup>[] = []
  /** Given out last, until it is done. */
  #running: QueuedGroup | null = null

  /** Resolves when each group is done or has been replaced by a later update of the same id. */
  add(updateId: number, groups: IndexGroup[]): Promise<void> {
    return new Promise((resolve) => {
      const update = { id: updateId, waitingFor: groups.length, resolve }
      this.drop(groups.map((group) => group.id))
      if (groups.length === 0) resolve()
      const waiting = groups.filter((group) => !this.#joinRunning(group, update))
      this.#updates.unshift(new Map(waiting.map((group) => [group.id, { group, updates: [update] }])))
    })
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

  next(): QueuedGroup | undefined {
    for (let first = this.#updates[0]; first !== undefined; first = this.#updates[0]) {
      for (const [id, queued] of first) {
        first.delete(id)
        this.#running = queued
        return queued
      }
      this.#updates.shift()
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
