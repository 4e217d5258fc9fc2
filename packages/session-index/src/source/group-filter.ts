import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { IndexGroup } from '../index-group.ts'
import { RawPattern } from './raw-pattern.ts'
import { requiredLetters } from './required-letters.ts'

/** Could what is looked for stand in a file of the group? */
export type GroupFilter = (group: IndexGroup, pause: () => Promise<void>) => Promise<boolean>

const CHUNK_BYTES = 4 * 1024 * 1024
/** More than the way from one text to the next that the pattern allows. */
const OVERLAP_BYTES = 16 * 1024
const NEWLINE = 10

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

let chunk: Buffer | null = null

/** Cut behind newlines, which no JSON string contains; a longer line is left to the parser, and so is what cannot be read. */
async function mayHold(path: string, patterns: RawPattern[], pause: () => Promise<void>): Promise<boolean> {
  chunk ??= Buffer.allocUnsafe(CHUNK_BYTES)
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY)
    const { size } = fstatSync(file)
    for (let offset = 0; offset < size; ) {
      const length = readSync(file, chunk, 0, CHUNK_BYTES, offset)
      const isLast = length === 0 || offset + length >= size
      const end = isLast ? length : chunk.subarray(0, length).lastIndexOf(NEWLINE)
      if (end <= OVERLAP_BYTES && !isLast) return true
      const bytes = chunk.subarray(0, end)
      if (patterns.some((pattern) => pattern.isIn(bytes))) return true
      if (isLast) return false
      offset += end - OVERLAP_BYTES
      await pause()
    }
    return false
  } catch {
    return true
  } finally {
    if (file !== null) closeSync(file)
  }
}
