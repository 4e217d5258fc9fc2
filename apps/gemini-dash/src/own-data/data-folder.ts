import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { newOwner, OwnerFile, openTrustedFolder } from '@gemini-dash/session-index'

/** The data folders that this thread has seen. */
const seen = new Set<string>()

/** Whether the folder was there and is not now: somebody moved or deleted it while the program runs. */
export function isAway(folder: string): boolean {
  if (existsSync(folder)) {
    seen.add(folder)
    return false
  }
  return seen.has(folder)
}

/** For a thread that starts later: the folder was there. */
export function noteSeen(folder: string): void {
  seen.add(folder)
}

export function describeAway(folder: string): string {
  return `${folder} is gone: it was moved or deleted while gemini-dash runs`
}

export const AWAY_ADVICE = 'move it back, or start gemini-dash again to begin with an empty one'

/**
 * Makes the data folder unless it was there before: a second one would hide what comes back.
 *
 * @throws with words that say why nothing can be kept in it
 */
export function openDataFolder(folder: string): void {
  if (isAway(folder)) throw new Error(`the data folder ${describeAway(folder)}; ${AWAY_ADVICE}`)
  openTrustedFolder(folder)
  seen.add(folder)
}

/** Changes take milliseconds: one that is this old was left by a process that died, whatever has its number now. */
const STALE_AFTER_MS = 10_000
const LONGEST_WAIT_MS = 20_000
const WAIT_STEP_MS = 2

const waiting = new Int32Array(new SharedArrayBuffer(4))

/**
 * Reads, changes and writes what lies in the data folder while no other process or thread does: what one of them kept in
 * between would be lost. Not to be called within itself.
 *
 * @throws where the folder cannot be used, or somebody else does not come to an end
 */
export function alone<Answer>(folder: string, work: () => Answer): Answer {
  openDataFolder(folder)
  const file = new OwnerFile(join(folder, 'writing.json'), STALE_AFTER_MS)
  const owner = newOwner()
  const startedMs = performance.now()
  while (!file.claim(owner)) {
    if (performance.now() - startedMs > LONGEST_WAIT_MS)
      throw new Error(`another gemini-dash is writing to ${folder} and does not come to an end`)
    Atomics.wait(waiting, 0, 0, WAIT_STEP_MS)
  }
  try {
    return work()
  } finally {
    // Of a process that slept for too long it is another one's by now.
    file.release(owner)
  }
}
