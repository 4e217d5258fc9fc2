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
 * Makes the data folder, if this thread has not seen it yet. One that was there and is not any more was moved or deleted by
 * somebody: another one in its place would hide what comes back.
 *
 * @throws with words that say why nothing can be kept in it
 */
export function openDataFolder(folder: string): void {
  if (isAway(folder)) throw new Error(describeAway(folder))
  openTrustedFolder(folder)
  seen.add(folder)
}

/** The same for who changes something. @throws with words that say what to do, too */
function openToChange(folder: string): void {
  try {
    openDataFolder(folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isAway(folder)) throw error
    throw new Error(`${reason}. Make it writable, or name another folder with --data-dir.`)
  }
}

/** For a thread that begins later: the folder was there. */
export function noteSeen(folder: string): void {
  seen.add(folder)
}

/** Whether it was there, and is not now. */
export function isAway(folder: string): boolean {
  if (existsSync(folder)) {
    seen.add(folder)
    return false
  }
  return seen.has(folder)
}

export function describeAway(folder: string): string {
  return `the data folder ${folder} is gone: it was moved or deleted while gemini-dash runs; move it back, or start gemini-dash again to begin with an empty one`
}

/** Answers are made only of what nobody else could have written. One that is not there holds nothing that could be. */
export function mayRead(folder: string): boolean {
  try {
    expectTrustedFolder(folder)
    return true
  } catch {
    return !existsSync(folder)
  }
}

/** Changes take milliseconds. What is this old was left by a process of another machine, or by a thread that was ended. */
const LONGEST_CHANGE_MS = 10_000
const LONGEST_WAIT_MS = 20_000
const WAIT_STEP_MS = 2

const waiting = new Int32Array(new SharedArrayBuffer(4))

/**
 * Reads, changes and writes what lies in the data folder while no other process or thread does: what one of them kept in
 * between would be lost. A process that is suspended in between goes on some day, and is waited for. Not to be called within
 * itself.
 *
 * @throws where the folder cannot be used, or somebody else does not come to an end
 */
export function alone<Answer>(folder: string, work: () => Answer): Answer {
  openToChange(folder)
  const owner = newOwner()
  // Steps are counted, not time: a process that was suspended, or whose clock was moved, has not waited.
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
        `another gemini-dash${which === null ? '' : ` (process ${which})`} is writing to ${folder} and does not come to an end`,
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
