import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { faultCode } from './fault-code.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'

/** Text of a small regular file (a marker, a registry, settings); null if there is none or it cannot be read. `onFault`: why the system refused. */
export function readSmallFile(
  path: string,
  maxSizeBytes: number,
  onFault: (code: string) => void = () => {},
): string | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, READ_ONLY_FLAGS)
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > maxSizeBytes) return null
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const code = faultCode(error)
    if (code !== null) onFault(code)
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}
