import { join } from 'node:path'
import { newOwner, OwnerFile } from './owner-file.ts'
import { openTrustedFolder } from './trusted-folder.ts'

const HEARTBEAT_MS = 5_000

export type FolderClaim =
  | { kind: 'owned'; isOurs: () => boolean; release: () => void }
  /** Another living process has it; null: nothing tells which one. */
  | { kind: 'taken'; pid: number | null }
  /** It cannot be used at all. */
  | { kind: 'unusable'; reason: string }

/**
 * Makes this process the only one that uses the folder, if no living one does already. `onLost` is called
 * when the folder was taken away or replaced, or another process took it because this one had been suspended for too long:
 * at the next heartbeat, or before `isOurs` answers, whichever looks first.
 */
export function claimFolder(directory: string, onLost: () => void): FolderClaim {
  const file = new OwnerFile(join(directory, 'owner.json'))
  const owner = newOwner()
  try {
    openTrustedFolder(directory)
    if (!file.claim(owner)) return { kind: 'taken', pid: file.read()?.pid ?? null }
  } catch (error) {
    return { kind: 'unusable', reason: error instanceof Error ? error.message : String(error) }
  }
  let isLost = false
  const look = (isThere: boolean) => {
    if (isThere || isLost) return
    isLost = true
    clearInterval(heartbeat)
    onLost()
  }
  const heartbeat = setInterval(() => look(file.beat(owner)), HEARTBEAT_MS)
  heartbeat.unref()
  return {
    kind: 'owned',
    isOurs: () => {
      look(file.isOf(owner))
      return !isLost
    },
    release: () => {
      clearInterval(heartbeat)
      file.release(owner)
    },
  }
}
