import { readFileSync, readlinkSync } from 'node:fs'

/** System id of this thread; 0 if unknown. */
export function threadNumber(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || 0
  } catch {
    return 0
  }
}

/**
 * CPU time of a thread of this process so far, in milliseconds. Linux reports that of a single thread; elsewhere, and for an unknown thread,
 * it is that of the whole process.
 */
export function workOfThread(number: number): number {
  try {
    return Number(readFileSync(`/proc/self/task/${number}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}
