/** Sessions that a hidden tab goes on reading, as its reader wants to be told when they end. By number of watchers. */
class WatchedSessions {
  readonly #watchers = new Map<string, number>()

  has(sessionKey: string): boolean {
    return this.#watchers.has(sessionKey)
  }

  keys(): string[] {
    return [...this.#watchers.keys()]
  }

  /** Until the returned function is called. */
  watch(sessionKey: string): () => void {
    this.#watchers.set(sessionKey, (this.#watchers.get(sessionKey) ?? 0) + 1)
    return () => {
      const left = (this.#watchers.get(sessionKey) ?? 1) - 1
      if (left > 0) this.#watchers.set(sessionKey, left)
      else this.#watchers.delete(sessionKey)
    }
  }
}

export const watchedSessions = new WatchedSessions()
