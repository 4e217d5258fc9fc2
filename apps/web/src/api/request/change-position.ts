/** Up to which change this page knows the server's state; says when changes were missed. */
class ChangePosition {
  /** Before the first answer was asked for that came before anything was told. */
  #answeredAt: number | undefined
  #openedAt: number | undefined
  #at: number | undefined
  #onMissed = () => {}

  whenMissed(onMissed: () => void): void {
    this.#onMissed = onMissed
  }

  /** An answer came that was asked for after change `at`; it may lack all that came later. */
  answered(at: number): void {
    if (this.#answeredAt !== undefined) return
    this.#answeredAt = at
    if (this.#openedAt !== undefined && at < this.#openedAt) this.#onMissed()
  }

  /** Events are heard from change `at` on. */
  opened(at: number): void {
    const knownAt = this.#at ?? this.#answeredAt ?? at
    this.#openedAt ??= at
    this.#at = at
    if (knownAt !== at) this.#onMissed()
  }

  /** False for an event that was heard before. */
  heard(at: number): boolean {
    const knownAt = this.#at ?? at - 1
    if (at <= knownAt) return false
    this.#at = at
    if (at > knownAt + 1) this.#onMissed()
    return true
  }
}

export const changePosition = new ChangePosition()
