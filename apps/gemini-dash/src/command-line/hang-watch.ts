import { Heartbeat, workOfHeartbeat } from '../store/reader/heartbeat.ts'

const LOOK_MS = 500
/** A look later than this does not count: this thread was suspended or starved of CPU itself. */
const LATE_MS = 2 * LOOK_MS
/**
 * Looks without a turn of the other loop before it is suspected, and as many again before it is given up. The longest turn ever measured
 * took 0.2 s.
 */
const SILENT_LOOKS = 8
/** CPU time that an endless loop has used by then, on a machine that gives it a quarter of a processor. */
const WORKED_MS = 2_000

/** What one look sees of the watched thread. */
export interface Look {
  /** From a monotonic clock, in milliseconds. */
  nowMs: number
  /** Grows while the thread's event loop turns; 0: it is still loading. */
  beats: number
  /** CPU time of the thread, in milliseconds. */
  workMs: number
}

/**
 * Distinguishes an endless loop from a slow machine. Counts looks that came on time, and the thread's CPU time: another thread would not
 * help one that waits for a disk or for a busy processor.
 */
export class HangWatch {
  #last: Look | null = null
  /** When it was last seen turning, or when the watch was last interrupted. */
  #since: Look | null = null
  #silentLooks = 0

  /** true: it hangs. */
  look(look: Look): boolean {
    const last = this.#last
    this.#last = look
    if (last === null || this.#since === null || look.beats === 0 || look.beats !== last.beats) {
      this.#silentLooks = 0
      this.#since = look
      return false
    }
    if (look.nowMs - last.nowMs > LATE_MS) return false
    this.#silentLooks += 1
    return this.#silentLooks >= 2 * SILENT_LOOKS && look.workMs - this.#since.workMs >= WORKED_MS
  }
}

/** Calls back once when the thread hangs. @returns a function that stops the watch */
export function watchHeartbeat(heartbeat: Int32Array, onHang: () => void): () => void {
  const watch = new HangWatch()
  const timer = setInterval(() => {
    const beats = Atomics.load(heartbeat, Heartbeat.beats)
    if (!watch.look({ nowMs: performance.now(), beats, workMs: workOfHeartbeat(heartbeat) })) return
    clearInterval(timer)
    onHang()
  }, LOOK_MS)
  return () => clearInterval(timer)
}
