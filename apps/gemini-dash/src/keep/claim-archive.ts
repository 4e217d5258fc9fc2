import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { claimFolder, openTrustedFolder } from '@gemini-dash/session-index'

/** Another process keeps just now: as long as this its end is waited for. */
const LONGEST_WAIT_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 200

/** Answers what gives the archive free again. @throws where another process does not, or the folder cannot be used */
export async function claimArchive(folder: string, onWait: () => void): Promise<() => void> {
  openTrustedFolder(join(folder, '..'))
  const startedMs = Date.now()
  let isTold = false
  for (;;) {
    const claimed = claimFolder(folder, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(`Nothing can be kept: ${claimed.reason}`)
    if (Date.now() - startedMs > LONGEST_WAIT_MS)
      throw new Error(`Another gemini-dash has been writing to ${folder} for more than ten minutes`)
    if (!isTold) onWait()
    isTold = true
    await setTimeout(WAIT_STEP_MS)
  }
}
