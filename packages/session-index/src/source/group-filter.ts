import { closeSync, constants, openSync, readSync } from 'node:fs'
import type { IndexGroup } from '../index-group.ts'
import { ByteScanner } from './byte-scanner.ts'
import { MAX_SPELT_BYTES, RawPattern } from './raw-pattern.ts'
import { requiredLetters } from './required-letters.ts'

/** Could what is looked for stand in a file of the group? */
export type GroupFilter = (group: IndexGroup, pause: () => Promise<void>) => Promise<boolean>

/** Tells from the bytes of files, without parsing them, which cannot hold a match. null: only parsing tells. */
export function groupFilter(mode: 'substring' | 'regex', pattern: string): GroupFilter | null {
  const letters = requiredLetters(mode, pattern)
  if (letters === null) return null
  const patterns = letters.map((run) => new RawPattern(run))
  return async ({ files }, pause) => {
    for (const { absolutePath } of files) {
      if (await mayHold(absolutePath, patterns, pause)) return true
    }
    return files.length === 0
  }
}

async function mayHold(path: string, patterns: RawPattern[], pause: () => Promise<void>): Promise<boolean> {
  const { chunk } = ByteScanner.one
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY)
    for (let offset = 0; ; offset += chunk.length - MAX_SPELT_BYTES) {
      const length = readSync(file, chunk, 0, chunk.length, offset)
      if (patterns.some((pattern) => pattern.isInChunk(length))) return true
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
