import { join } from 'node:path'
import { newOwner, OwnerFile, openTrustedFolder } from '@gemini-dash/session-index'

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
  openTrustedFolder(folder)
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
