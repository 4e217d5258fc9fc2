import { readFileSync } from 'node:fs'

/** Clock ticks per second in which Linux reports CPU time, on every platform that Node.js supports. */
const TICKS_PER_SECOND = 100

/** Resident memory of a process, current and peak. null if the system does not report it (not Linux). */
export function memoryOf(pid: number): { residentBytes: number; highestBytes: number } | null {
  const status = readProcess(pid, 'status')
  const bytesOf = (name: string): number | null => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  }
  const residentBytes = bytesOf('VmRSS')
  const highestBytes = bytesOf('VmHWM')
  return residentBytes === null || highestBytes === null ? null : { residentBytes, highestBytes }
}

/** CPU time of all threads of a process so far. null if the system does not report it. */
export function processorMs(pid: number): number | null {
  // The name in parentheses may contain spaces; user and system time are the 12th and 13th field after it.
  const fields = readProcess(pid, 'stat')?.split(') ').at(-1)?.split(' ')
  const ticks = Number(fields?.[11]) + Number(fields?.[12])
  return Number.isNaN(ticks) ? null : (ticks * 1000) / TICKS_PER_SECOND
}

function readProcess(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}
