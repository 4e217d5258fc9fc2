import { threadNumber, workOfThread } from '@gemini-dash/session-index/thread-work'

/** Indexes of what a thread shares with the thread that watches it. */
export const Heartbeat = {
  /** Incremented while the thread's event loop turns. */
  beats: 0,
  /** The thread's system id; 0 if unknown. */
  thread: 1,
} as const

const BEAT_MS = 250

export function newHeartbeat(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** Called in the watched thread: from now on others notice when its event loop stalls. */
export function startHeartbeat(heartbeat: Int32Array): void {
  Atomics.store(heartbeat, Heartbeat.thread, threadNumber())
  setInterval(() => Atomics.add(heartbeat, Heartbeat.beats, 1), BEAT_MS).unref()
}

/** CPU time of the watched thread so far, in milliseconds. */
export function workOfHeartbeat(heartbeat: Int32Array): number {
  return workOfThread(Atomics.load(heartbeat, Heartbeat.thread))
}
