import { deferred } from '../remembered/deferred.ts'
import type { GroupStates } from './group-states.ts'

/** Who waits until everything is read, and read again what the index lost. */
export class Readiness {
  readonly #groups: GroupStates
  #isComplete = false
  #losses = 0
  /** Those after which everything was read again. */
  #settledLosses = 0
  readonly #whenComplete = deferred()
  #whenRefilled = deferred()
  #rejectWaiting: (error: Error) => void = () => {}
  readonly #givenUp = new Promise<never>((_, reject) => {
    this.#rejectWaiting = reject
  })

  constructor(groups: GroupStates) {
    this.#groups = groups
    this.#givenUp.catch(() => {})
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get losses(): number {
    return this.#losses
  }

  whenComplete(): Promise<void> {
    return this.#whenComplete.promise
  }

  /** @throws once it was given up */
  whenReady(): Promise<void> {
    return this.orGivenUp(this.#whenWhole())
  }

  /** @throws once it was given up */
  async orGivenUp(promise: Promise<void>): Promise<void> {
    await Promise.race([this.#givenUp, promise])
  }

  giveUp(error: Error): void {
    this.#rejectWaiting(error)
  }

  noteLoss(): void {
    this.#losses += 1
  }

  /** The group is to be read again. */
  lose(groupId: string): void {
    if (!this.#groups.hasLost) this.#whenRefilled = deferred()
    this.#groups.lose(groupId)
  }

  /** Everything that is there is read. */
  get isWhole(): boolean {
    const { arePresentKnown, hasLost } = this.#groups
    return arePresentKnown && !hasLost && this.#groups.hasAllRows()
  }

  /** To be called when something was read. true: everything is, and was not before. */
  settle(): boolean {
    if (!this.isWhole) return false
    this.#whenRefilled.resolve()
    if (this.#isComplete && this.#losses === this.#settledLosses) return false
    this.#isComplete = true
    this.#settledLosses = this.#losses
    this.#whenComplete.resolve()
    return true
  }

  async #whenWhole(): Promise<void> {
    await this.#whenComplete.promise
    while (this.#groups.hasLost) await this.#whenRefilled.promise
  }
}
