import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expectTrustedFolder, openTrustedFolder } from '@gemini-dash/session-index'
import { z } from 'zod'

/** The data folders that this thread has seen. */
const seen = new Set<string>()

/**
 * Makes the data folder, if this thread has not seen it yet. One that was there and is not any more was moved or deleted by
 * somebody: another one in its place would hide what comes back.
 *
 * @throws with words that say why nothing can be kept in it
 */
export function openDataFolder(folder: string): void {
  if (isAway(folder)) throw new Error(describeAway(folder))
  openTrustedFolder(folder)
  seen.add(folder)
}

/** The same for who changes something. @throws with words that say what to do, too */
function openToChange(folder: string): void {
  try {
    openDataFolder(folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isAway(folder)) throw error
    throw new Error(`${reason}; make it writable, or start gemini-dash with another --data-dir`)
  }
}

/** For a thread that begins later: the folder was there. */
export function noteSeen(folder: string): void {
  seen.add(folder)
}

/** Whether it was there, and is not now. */
export function isAway(folder: string): boolean {
  if (existsSync(folder)) {
    seen.add(folder)
    return false
  }
  return seen.has(folder)
}

export function describeAway(folder: string): string {
  return `the data folder ${folder} is gone: it was moved or deleted while gemini-dash runs; move it back, or start gemini-dash again to begin with an empty one`
}

/** Answers are made only of what nobody else could have written. One that is not there holds nothing that could be. */
export function mayRead(folder: string): boolean {
  try {
    expectTrustedFolder(folder)
    return true
  } catch {
    return !existsSync(folder)
  }
}

/** Changes take milliseconds: one that is this old was left by a process that died, whatever has its number now. */
const STALE_AFTER_MS = 10_000
const LONGEST_WAIT_MS = 20_000
const WAIT_STEP_MS = 2

const writerSchema = z.object({ id: z.string(), pid: z.number(), host: z.string() })
const waiting = new Int32Array(new SharedArrayBuffer(4))

/**
 * Reads, changes and writes what lies in the data folder while no other process or thread does: what one of them kept in
 * between would be lost. Not to be called within itself.
 *
 * @throws where the folder cannot be used, or somebody else does not come to an end
 */
export function alone<Answer>(folder: string, work: () => Answer): Answer {
  openToChange(folder)
  const path = join(folder, 'writing.json')
  const id = randomUUID()
  const writer = JSON.stringify({ id, pid: process.pid, host: hostname() })
  const startedMs = performance.now()
  while (!create(path, writer)) {
    if (isLeft(path)) removeLeft(path)
    else if (performance.now() - startedMs > LONGEST_WAIT_MS)
      throw new Error(`another gemini-dash is writing to ${folder} and does not come to an end`)
    else Atomics.wait(waiting, 0, 0, WAIT_STEP_MS)
  }
  try {
    return work()
  } finally {
    // Of a process that slept for too long it is another one's by now.
    if (idOf(path) === id) rmSync(path, { force: true })
  }
}

function create(path: string, text: string): boolean {
  const descriptor = open(path)
  if (descriptor === null) return false
  try {
    writeFileSync(descriptor, text)
    return true
  } catch (error) {
    // A full disk: nobody is to wait for what says nothing.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** null: somebody has it. */
function open(path: string): number | null {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Windows refuses a name whose file is being removed.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return null
    throw error
  }
}

/** Whether whoever made it cannot be at work any more. */
function isLeft(path: string): boolean {
  const writtenMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (writtenMs === undefined) return false
  if (Date.now() - writtenMs > STALE_AFTER_MS) return true
  const writer = read(path)
  return writer !== null && writer.host === hostname() && !isAlive(writer.pid)
}

/** Moved away first, to see that it is that one: another process may have been faster. */
function removeLeft(path: string): void {
  const left = idOf(path)
  const moved = `${path}.${randomUUID()}`
  try {
    if (!isLeft(path)) return
    renameSync(path, moved)
    if (idOf(moved) !== left) create(path, readFileSync(moved, 'utf8'))
  } catch {
    // Whoever was faster has removed it.
  }
  // also a folder of that name, which nobody of us made
  rmSync(moved, { force: true, recursive: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function idOf(path: string): string | null {
  return read(path)?.id ?? null
}

/** null: it is gone, or being written. */
function read(path: string): z.infer<typeof writerSchema> | null {
  try {
    return writerSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
