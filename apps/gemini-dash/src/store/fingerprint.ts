import { createHash } from 'node:crypto'
import { LIST_PRICES, type PriceOverrides, pricesStamp } from '@gemini-dash/pricing/overrides'
import { INDEX_VERSION } from '@gemini-dash/session-index'
import type { DiscoveredFile } from 'gemini-sessions/node'

/**
 * Changes when any of the files is written, replaced, added or removed, when the index would say more of them, and when
 * their calls may cost something else.
 */
export function fingerprint(files: readonly DiscoveredFile[], prices: PriceOverrides = LIST_PRICES): string {
  const hash = createHash('sha256').update(`${INDEX_VERSION}\n${pricesStamp(prices)}\n`)
  const lines = files.map(
    ({ absolutePath, sizeBytes, mtimeNs, inode }) => `${absolutePath}\n${sizeBytes}\n${mtimeNs}\n${inode}\n`,
  )
  for (const line of lines.sort()) hash.update(line)
  return hash.digest('base64url')
}
