/** After so many milliseconds a group over which threads died is tried once more; after the last one, when it changes. */
const DELAYS_MS = [10_000, 60_000, 600_000]

interface Failure {
  tries: number
  timer: NodeJS.Timeout | null
}

/**
 * Groups that could not be read as they are: threads died over them. That may have had another cause, such as memory that
 * was short just then, so each is tried again a few times. Not for ever: what does kill threads costs two of them each time.
 */
export class FailedGroups {
  readonly #failures = new Map<string, Failure>()
  readonly #retry: (groupId: string) => void
  #isClosed = false

  constructor(retry: (groupId: string) => void) {
    this.#retry = retry
  }

  has(groupId: string): boolean {
    return this.#failures.has(groupId)
  }

  add(groupId: string): void {
    const failure = this.#failures.get(groupId) ?? { tries: 0, timer: null }
    this.#failures.set(groupId, failure)
    const delayMs = DELAYS_MS[failure.tries]
    if (this.#isClosed || failure.timer !== null || delayMs === undefined) return
    failure.timer = setTimeout(() => {
      failure.timer = null
      failure.tries += 1
      this.#retry(groupId)
    }, delayMs).unref()
  }

  delete(groupId: string): void {
    clearTimeout(this.#failures.get(groupId)?.timer ?? undefined)
    this.#failures.delete(groupId)
  }

  close(): void {
    this.#isClosed = true
    for (const { timer } of this.#failures.values()) clearTimeout(timer ?? undefined)
  }
}
