import { createHash } from 'node:crypto'
import { INDEX_VERSION } from '@gemini-dash/session-index'
import type { DiscoveredFile } from 'gemini-sessions/node'

/** Changes when any of the files is written, replaced, added or removed, and when the index would say more of them. */
export function fingerprint(files: readonly DiscoveredFile[]): string {
  const hash = createHash('sha256').update(`${INDEX_VERSION}\n`)
  const lines = files.map(
    ({ absolutePath, sizeBytes, mtimeNs, inode }) => `${absolutePath}\n${sizeBytes}\n${mtimeNs}\n${inode}\n`,
  )
  for (const line of lines.sort()) hash.update(line)
  return hash.digest('base64url')
}
