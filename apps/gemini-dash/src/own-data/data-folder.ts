import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  expectTrustedFolder,
  isSameProcess,
  newOwner,
  type Owner,
  OwnerFile,
  openTrustedFolder,
  whereaboutsOfOwner,
} from '@gemini-dash/session-index'

/** The data folders that this thread has seen. */
const seen = new Set<string>()

/**
 * Creates the data folder, unless this thread has seen it before. If it existed and is gone, someone moved or deleted it: a new one in its
 * place would hide the original when it comes back.
 *
 * @throws with the reason why nothing can be stored in it
 */
export function openDataFolder(folder: string): void {
  if (isAway(folder)) throw new Error(describeAway(folder))
  openTrustedFolder(folder)
  seen.add(folder)
}

/** The same for changes. @throws with advice on what to do */
function openToChange(folder: string): void {
  try {
    openDataFolder(folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isAway(folder)) throw error
    throw new Error(`${reason}. Make it writable, or choose another folder with --data-dir.`)
  }
}

/** For a thread that starts later: the folder existed. */
export function noteSeen(folder: string): void {
  seen.add(folder)
}

/** Whether it existed, and does not now. */
export function isAway(folder: string): boolean {
  if (existsSync(folder)) {
    seen.add(folder)
    return false
  }
  return seen.has(folder)
}

export function describeAway(folder: string): string {
  return `the data folder ${folder} was moved or deleted while gemini-dash was running; move it back, or restart gemini-dash to begin with an empty one`
}

/** Answers must not contain data that another user could have written. A missing folder contains none. */
export function mayRead(folder: string): boolean {
  try {
    expectTrustedFolder(folder)
    return true
  } catch {
    return !existsSync(folder)
  }
}

/** Changes take milliseconds. A lock this old was left by a process of another machine, or by a thread that was ended. */
const LONGEST_CHANGE_MS = 10_000
const LONGEST_WAIT_MS = 20_000
const WAIT_STEP_MS = 2

const waiting = new Int32Array(new SharedArrayBuffer(4))

/**
 * Runs `work`, which reads, changes and writes the data folder, while no other process or thread does: otherwise changes in between would
 * be lost. A suspended process continues at some point, so it is waited for. Not reentrant.
 *
 * @throws if the folder cannot be used, or another process does not finish
 */
export function alone<Answer>(folder: string, work: () => Answer): Answer {
  openToChange(folder)
  const owner = newOwner()
  // Counts steps, not time: suspended time and clock changes do not count.
  let waitedMs = 0
  let held = { id: '', sinceMs: 0 }
  const isAtWork = (holder: Owner, ageMs: number) => {
    if (holder.id !== held.id) held = { id: holder.id, sinceMs: waitedMs }
    const whereabouts = whereaboutsOfOwner(holder)
    if (whereabouts !== 'running') return whereabouts === 'elsewhere' && ageMs <= LONGEST_CHANGE_MS
    // another thread of this process was awake for as long as this one
    return !isSameProcess(holder, owner) || waitedMs - held.sinceMs <= LONGEST_CHANGE_MS
  }
  const file = new OwnerFile(join(folder, 'writing.json'), isAtWork)
  for (; !file.claim(owner); waitedMs += WAIT_STEP_MS) {
    if (waitedMs > LONGEST_WAIT_MS) {
      const which = file.read()?.pid ?? null
      throw new Error(
        `another gemini-dash${which === null ? '' : ` (process ${which})`} is writing to ${folder} and does not finish`,
      )
    }
    Atomics.wait(waiting, 0, 0, WAIT_STEP_MS)
  }
  try {
    return work()
  } finally {
    file.release(owner)
  }
}
