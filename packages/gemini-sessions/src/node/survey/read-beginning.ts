import { open } from 'node:fs/promises'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import type { DiscoveredFile } from '../scan/discovered-file.ts'

const MAX_BYTES = 256 * 1024

/** The first text of a session file, enough to meet the paths it is about; empty if it is gone or refused. */
export async function readBeginning(file: DiscoveredFile): Promise<string> {
  try {
    const handle = await open(file.absolutePath, READ_ONLY_FLAGS)
    try {
      const buffer = Buffer.allocUnsafe(Math.min(file.sizeBytes, MAX_BYTES))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}
