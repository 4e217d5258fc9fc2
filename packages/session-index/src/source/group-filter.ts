import { closeSync, constants, openSync, readSync } from 'node:fs'
import type { IndexGroup } from '../contract/index-group.ts'
import { ByteScanner } from './byte-scanner.ts'
import { MAX_SPELT_BYTES, RawPattern } from './raw-pattern.ts'
import { requiredLetters } from './required-letters.ts'

/** Could what is looked for stand in a file of the group? */
export type GroupFilter = (group: IndexGroup, pause: () => Promise<void>) => Promise<boolean>

/** Tells from the bytes of files, without parsing them, which cannot hold a match. null: only parsing tells. */
export function groupFilter(mode: 'substring' | 'regex', pattern: string): GroupFilter | null {
  const letters = requiredLetters(mode, pattern)
  if (letters === null) return null
  const alternatives = letters.map((runs) => runs.map((run) => new RawPattern(run)))
  return async ({ files, loose }, pause) => {
    // What is told apart here is how session files spell a text.
    if (files.length === 0 || loose !== undefined) return true
    for (const runs of alternatives) if (await holdAll(files, runs, pause)) return true
    return false
  }
}

/** Each of the runs, anywhere in the files: a message can be made of several. */
async function holdAll(
  files: readonly { absolutePath: string }[],
  runs: RawPattern[],
  pause: () => Promise<void>,
): Promise<boolean> {
  for (const run of runs) if (!(await holdOne(files, run, pause))) return false
  return true
}

async function holdOne(
  files: readonly { absolutePath: string }[],
  run: RawPattern,
  pause: () => Promise<void>,
): Promise<boolean> {
  for (const { absolutePath } of files) if (await mayHold(absolutePath, run, pause)) return true
  return false
}

async function mayHold(path: string, pattern: RawPattern, pause: () => Promise<void>): Promise<boolean> {
  const { chunk } = ByteScanner.one
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY)
    for (let offset = 0; ; offset += chunk.length - MAX_SPELT_BYTES) {
      const length = readSync(file, chunk, 0, chunk.length, offset)
      if (pattern.isInChunk(length)) return true
      if (length < chunk.length) return false
      await pause()
    }
  } catch {
    // What cannot be read is left to the parser, which says so.
    return true
  } finally {
    if (file !== null) closeSync(file)
  }
}
