import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { claimFolder, openTrustedFolder } from '@gemini-dash/session-index'

/** Another process keeps just now: as long as this its end is waited for. */
const LONGEST_WAIT_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 200

/** Answers what gives the archive free again. @throws where another process does not, or the folder cannot be used */
export async function claimArchive(folder: string, onWait: () => void): Promise<() => void> {
  openTrustedFolder(join(folder, '..'))
  // Steps are counted, not time: a process that was suspended, or whose clock was moved, has not waited.
  for (let waitedMs = 0; ; waitedMs += WAIT_STEP_MS) {
    const claimed = claimFolder(folder, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(`Nothing can be kept: ${claimed.reason}`)
    if (waitedMs > LONGEST_WAIT_MS)
      throw new Error(`Another gemini-dash has been writing to ${folder} for more than ten minutes`)
    if (waitedMs === 0) onWait()
    await setTimeout(WAIT_STEP_MS)
  }
}
