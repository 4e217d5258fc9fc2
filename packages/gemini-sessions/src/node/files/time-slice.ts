import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 8

/** Lets long synchronous work give way to the event loop: `if (slice.isOver()) await slice.next()`. */
export class TimeSlice {
  #startMs = performance.now()

  isOver(): boolean {
    return performance.now() - this.#startMs > SLICE_MS
  }

  async next(): Promise<void> {
    await setImmediate()
    this.#startMs = performance.now()
  }
}
