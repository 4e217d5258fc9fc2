import { hostname } from 'node:os'
import type { Owner } from './owner-file.ts'

/** Whether the owner still runs; of a process on another machine (a shared home) only its heartbeat can tell. */
export function isProcessAlive({ id, pid, host }: Owner, ownIds: ReadonlySet<string>): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return ownIds.has(id)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, but another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
