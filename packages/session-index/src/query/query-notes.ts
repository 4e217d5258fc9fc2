/** What a person should know of how a query was read. */
export class QueryNotes {
  readonly #notes = new Set<string>()
  readonly #leftOut = new Set<string>()

  add(note: string): void {
    this.#notes.add(note)
  }

  /** Nothing in it is a word for the index. */
  leaveOut(written: string): void {
    if (written.trim() !== '') this.#leftOut.add(written.trim())
  }

  list(isEmpty: boolean): string[] {
    if (isEmpty) {
      return [
        'Nothing to search for: type a word or a number, or search for a substring instead.',
        ...this.#notes,
      ]
    }
    if (this.#leftOut.size === 0) return [...this.#notes]
    const list = [...this.#leftOut].map((written) => `“${written}”`).join(', ')
    return [`Left out, as it has no letters or digits: ${list}. A substring search finds it.`, ...this.#notes]
  }
}
