import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'

/** Text of a small regular file (a marker, a registry, settings); null if there is none or it cannot be read. */
export function readSmallFile(path: string, maxSizeBytes: number): string | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, READ_ONLY_FLAGS)
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > maxSizeBytes) return null
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}
