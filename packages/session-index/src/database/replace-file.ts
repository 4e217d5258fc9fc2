import { renameSync } from 'node:fs'

/** Windows lets nobody take a name whose file another program, such as a virus scanner, has open just now. */
const HELD = new Set(['EPERM', 'EBUSY', 'EACCES'])
const PAUSES_MS = [5, 20, 50, 100, 200, 400]

/** Puts a file in the place of another, as a whole. @throws where the system goes on refusing */
export function replaceFile(
  from: string,
  to: string,
  { platform = process.platform as string, rename = renameSync, wait = waitFor } = {},
): void {
  const pauses = platform === 'win32' ? [...PAUSES_MS] : []
  for (;;) {
    try {
      rename(from, to)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const pauseMs = HELD.has(code ?? '') ? pauses.shift() : undefined
      if (pauseMs === undefined) throw error
      wait(pauseMs)
    }
  }
}

function waitFor(pauseMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}
