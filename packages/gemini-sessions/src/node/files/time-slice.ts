import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 8

/** What long work waits for between two slices; it has to let the event loop turn. */
export type GiveWay = () => Promise<unknown>

/** Lets long synchronous work give way to the event loop: `if (slice.isOver()) await slice.next()`. */
export class TimeSlice {
  readonly #giveWay: GiveWay
  #startMs = performance.now()

  constructor(giveWay: GiveWay = setImmediate) {
    this.#giveWay = giveWay
  }

  isOver(): boolean {
    return performance.now() - this.#startMs > SLICE_MS
  }

  async next(): Promise<void> {
    await this.#giveWay()
    this.#startMs = performance.now()
  }
}
