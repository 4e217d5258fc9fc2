import { readFileSync } from 'node:fs'
import { Heart } from '../serve/thread.ts'

const LOOK_MS = 500
/** A look that comes later than this does not count: this thread, too, was suspended or got no processor. */
const LATE_MS = 2 * LOOK_MS
/** Looks without a turn of the other loop after which it is suspected, and after as many again given up. Its longest turn seen took 0.2 s. */
const SILENT_LOOKS = 8
/** What a loop that does not end has worked by then, on a machine where it gets a quarter of a processor. */
const WORKED_MS = 2_000

/** What one look sees of the thread that is watched. */
export interface Look {
  /** By a clock that nobody moves, in milliseconds. */
  nowMs: number
  /** Grows while the loop of the thread turns; 0: it is still loading. */
  beats: number
  /** Processor time of the thread, in milliseconds. */
  workMs: number
}

/**
 * Tells a loop that does not end from a machine that is slow. It counts looks that came on time, and the thread's work: who waits for
 * a disk, or for a processor that others have, is not helped by another thread.
 */
export class HangWatch {
  #last: Look | null = null
  /** When it was last seen to turn, or when the watch was last interrupted. */
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

/** Calls back once when the thread hangs. @returns ends the watch */
export function watchHeart(heart: Int32Array, onHang: () => void): () => void {
  const watch = new HangWatch()
  const timer = setInterval(() => {
    const beats = Atomics.load(heart, Heart.beats)
    const workMs = workOfThread(Atomics.load(heart, Heart.thread))
    if (!watch.look({ nowMs: performance.now(), beats, workMs })) return
    clearInterval(timer)
    onHang()
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Linux tells the processor time of a thread; elsewhere that of all threads is what is known. In milliseconds. */
function workOfThread(thread: number): number {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}
