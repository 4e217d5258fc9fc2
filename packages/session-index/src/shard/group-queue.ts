import type { IndexGroup } from '../index-group.ts'

interface Update {
  id: number
  waitingFor: number
  resolve: () => void
}

export interface QueuedGroup {
  group: IndexGroup
  update: Update
}

/**
 * Groups that wait to be indexed. An update made later goes first: it is what changed just now, while the
 * first one is the whole home. Within an update the given order holds.
 */
export class GroupQueue {
  readonly #updates: Map<string, QueuedGroup>[] = []

  /** Resolves when each group is done or has been replaced by a later update of the same id. */
  add(updateId: number, groups: IndexGroup[]): Promise<void> {
    return new Promise((resolve) => {
      const update = { id: updateId, waitingFor: groups.length, resolve }
      this.drop(groups.map((group) => group.id))
      if (groups.length === 0) resolve()
      else this.#updates.unshift(new Map(groups.map((group) => [group.id, { group, update }])))
    })
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
        return queued
      }
      this.#updates.shift()
    }
    return undefined
  }

  done({ update }: QueuedGroup): void {
    update.waitingFor -= 1
    if (update.waitingFor === 0) update.resolve()
  }
}
