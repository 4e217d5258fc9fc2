import type { Worker } from 'node:worker_threads'

const LOOK_MS = 1_000
const BEAT_MS = 250
/** Longest work without a pause in between that was measured: a text of 64 MB, decoded in a second on a busy machine. */
const SILENT_LOOKS = 15
/** It waits for nothing that we know of: a disk that does not answer, or an answer that was lost. */
const IDLE_LOOKS = 30
/** Less work than this a second is that of the beat itself. */
const IDLE_WORK_MS = 2
/** A file of 5 GB takes two minutes on a slow disk; who still works then goes round in circles. */
const LONGEST_LOOKS = 900

export type Limits = Record<'lookMs' | 'silentLooks' | 'idleLooks' | 'longestLooks', number>

const LIMITS: Limits = {
  lookMs: LOOK_MS,
  silentLooks: SILENT_LOOKS,
  idleLooks: IDLE_LOOKS,
  longestLooks: LONGEST_LOOKS,
}

/** The worker's end: it counts as long as its loop turns. */
export function beat(heart: Int32Array): void {
  setInterval(() => Atomics.add(heart, 0, 1), BEAT_MS).unref()
}

/**
 * Tells a thread that hangs from one that has much to do. Counted in looks, not in time: a machine that slept, or a main
 * thread that was busy itself, has not looked.
 *
 * @returns ends it
 */
export function watchLife(
  worker: Worker,
  heart: Int32Array,
  isAsked: () => boolean,
  onDead: () => void,
  { lookMs, silentLooks, idleLooks, longestLooks }: Limits = LIMITS,
): () => void {
  let beats = -1
  let used = worker.performance.eventLoopUtilization()
  const looks = { silent: 0, idle: 0, asked: 0 }
  const timer = setInterval(() => {
    const now = worker.performance.eventLoopUtilization()
    const workMs = now.active - used.active
    used = now
    const counted = Atomics.load(heart, 0)
    looks.silent = isAsked() && counted === beats ? looks.silent + 1 : 0
    looks.idle = isAsked() && counted !== beats && workMs < IDLE_WORK_MS ? looks.idle + 1 : 0
    looks.asked = isAsked() ? looks.asked + 1 : 0
    beats = counted
    if (looks.silent >= silentLooks || looks.idle >= idleLooks || looks.asked >= longestLooks) onDead()
  }, lookMs).unref()
  return () => clearInterval(timer)
}
