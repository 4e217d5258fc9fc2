import { setTimeout } from 'node:timers/promises'
import { claimFolder } from '@gemini-dash/session-index'
import type { GoneFolder } from './gone-list.ts'

/** Another process brings the same out just now. */
const LONGEST_WAIT_MS = 10_000
/** It does so of an archive out of which something was taken since. */
const LONGEST_WAIT_FOR_LESS_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 50

/**
 * null: another process is at it, and what it makes is what would be made here. Not where `isLess`, as then it may hold
 * what it should hold no more.
 *
 * @throws where the folder cannot be used, or nobody else may make it
 */
export async function claimGone(
  { path }: GoneFolder,
  { isLess }: { isLess: boolean },
): Promise<(() => void) | null> {
  const longestMs = isLess ? LONGEST_WAIT_FOR_LESS_MS : LONGEST_WAIT_MS
  // Steps are counted, not time: a process that was suspended, or whose clock was moved, has not waited.
  for (let waitedMs = 0; waitedMs < longestMs; waitedMs += WAIT_STEP_MS) {
    const claimed = claimFolder(path, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(claimed.reason)
    await setTimeout(WAIT_STEP_MS)
  }
  if (isLess) throw new Error(`another gemini-dash has been writing to ${path} for more than ten minutes`)
  return null
}
