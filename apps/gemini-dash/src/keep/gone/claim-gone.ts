import { setTimeout } from 'node:timers/promises'
import { claimFolder } from '@gemini-dash/session-index'
import type { GoneFolder } from './gone-list.ts'

/** Another process brings the same out just now. */
const LONGEST_WAIT_MS = 10_000
/** It does so of an archive out of which something was taken since: it may hold what it should hold no more. */
const LONGEST_WAIT_FOR_LESS_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 50

/** Answers what gives the folder free again. @throws where it cannot be used, or another process does not come to an end */
export async function claimGone(
  { path }: GoneFolder,
  {
    isLess,
    longestMs = isLess ? LONGEST_WAIT_FOR_LESS_MS : LONGEST_WAIT_MS,
  }: { isLess: boolean; longestMs?: number },
): Promise<() => void> {
  // Steps are counted, not time: a process that was suspended, or whose clock was moved, has not waited.
  for (let waitedMs = 0; ; waitedMs += WAIT_STEP_MS) {
    const claimed = claimFolder(path, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(claimed.reason)
    if (waitedMs > longestMs)
      throw new Error(
        `another gemini-dash (process ${claimed.pid}) has been writing to ${path} for ${Math.round(waitedMs / 1000)} s`,
      )
    await setTimeout(WAIT_STEP_MS)
  }
}
