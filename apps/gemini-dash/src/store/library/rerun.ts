/** Runs one thing at a time, and once more where it was asked for meanwhile. */
export class Rerun {
  readonly #run: () => Promise<void>
  #running: Promise<void> | null = null
  #isAskedAgain = false
  #isClosed = false

  constructor(run: () => Promise<void>) {
    this.#run = run
  }

  /** Resolves when nobody asks any more. */
  ask(): Promise<void> {
    if (this.#running !== null) {
      this.#isAskedAgain = true
      return this.#running
    }
    this.#running = this.#runUntilQuiet().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** What runs is the last run. */
  close(): void {
    this.#isClosed = true
  }

  async #runUntilQuiet(): Promise<void> {
    do {
      this.#isAskedAgain = false
      await this.#run()
    } while (this.#isAskedAgain && !this.#isClosed)
  }
}
