import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'

/** Distinguishes a process from every other: from later ones with the same pid, and from those on other machines. */
export const processIdentitySchema = z.object({
  pid: z.number().int().positive(),
  /** Where the pid means this process: a machine since its last start, or a container on it. */
  place: z.string(),
  /** When it started, in the format of the system; empty if the system is not asked. */
  began: z.string(),
})
export type ProcessIdentity = z.infer<typeof processIdentitySchema>

export type Whereabouts = 'running' | 'ended' | 'elsewhere'

let own: ProcessIdentity | null = null

/** What this process records so that others can recognize it. */
export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, place: ownPlace(), began: beginOf(process.pid) ?? '' }
  return own
}

/** `elsewhere`: from another machine, container or boot of this machine; whether it runs cannot be determined here. */
export function whereaboutsOf({ pid, place, began }: ProcessIdentity): Whereabouts {
  if (place !== ownPlace()) return 'elsewhere'
  return beginOf(pid) === began ? 'running' : 'ended'
}

function ownPlace(): string {
  if (process.platform !== 'linux') return hostname()
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** null if the process does not exist. */
function beginOf(pid: number): string | null {
  if (process.platform === 'linux') return beginByProc(pid)
  // Windows reports it only to programs that take half a second to start.
  return process.platform === 'win32' ? beginUnknown(pid) : beginByPs(pid)
}

/** In ticks since boot. */
function beginByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in parentheses and may contain anything.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isDead = state === 'Z' || state === 'X'
    return isDead ? null : (fields[FIELDS_FROM_STATE_TO_START] ?? null)
  } catch {
    return null
  }
}

const FIELDS_FROM_STATE_TO_START = 18

function beginByPs(pid: number): string | null {
  try {
    const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return text.trim() || null
  } catch {
    return null
  }
}

function beginUnknown(pid: number): string | null {
  try {
    process.kill(pid, 0)
    return ''
  } catch {
    return null
  }
}
