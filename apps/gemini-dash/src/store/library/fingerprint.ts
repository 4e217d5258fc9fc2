import { createHash } from 'node:crypto'
import { LIST_PRICES, type PriceOverrides, pricesStamp } from '@gemini-dash/pricing/overrides'
import { CACHE_FORMAT, stampOf } from '@gemini-dash/session-index'
import type { DiscoveredFile } from 'gemini-sessions/node'

/**
 * By which everything that was made of these files is told to hold still. Changes when any of them is written, replaced,
 * added or removed, when another build would make something else of them, and when their calls may cost something else.
 */
export function fingerprint(files: readonly DiscoveredFile[], prices: PriceOverrides = LIST_PRICES): string {
  const hash = createHash('sha256').update(`${CACHE_FORMAT.index}\n${pricesStamp(prices)}\n`)
  const lines = files.map((file) => `${stampOf(file).join('\n')}\n`)
  for (const line of lines.sort()) hash.update(line)
  return hash.digest('base64url')
}
