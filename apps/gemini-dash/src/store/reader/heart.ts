import { readFileSync, readlinkSync } from 'node:fs'

/** Indexes of what a thread shares with the thread that watches it. */
export const Heart = {
  /** Incremented while the thread's event loop turns. */
  beats: 0,
  /** The thread's system id; 0 if unknown. */
  thread: 1,
} as const

const BEAT_MS = 250

export function newHeart(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** Called in the watched thread: from now on others notice when its event loop stalls. */
export function startHeart(heart: Int32Array): void {
  Atomics.store(heart, Heart.thread, threadNumber())
  setInterval(() => Atomics.add(heart, Heart.beats, 1), BEAT_MS).unref()
}

/** System id of this thread; 0 if unknown. */
function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/**
 * CPU time of the watched thread so far, in milliseconds. Linux reports that of a single thread; elsewhere only that of the whole process is
 * known.
 */
export function workOfThread(heart: Int32Array): number {
  try {
    const thread = Atomics.load(heart, Heart.thread)
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}
