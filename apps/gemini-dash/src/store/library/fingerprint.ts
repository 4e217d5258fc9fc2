import { createHash } from 'node:crypto'
import { LIST_PRICES, type PriceOverrides, pricesStamp } from '@gemini-dash/pricing/overrides'
import { CACHE_FORMAT, stampOf } from '@gemini-dash/session-index'
import type { GroupClaims } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'

/**
 * By which everything that was made of these files is told to hold still. Changes when any of them is written, replaced,
 * added or removed, when another build would make something else of them, when their calls may cost something else, and when
 * their sessions have other keys.
 */
export function fingerprint(
  files: readonly DiscoveredFile[],
  prices: PriceOverrides = LIST_PRICES,
  claims?: GroupClaims,
): string {
  const hash = createHash('sha256').update(`${CACHE_FORMAT.index}\n${pricesStamp(prices)}\n`)
  const lines = files.map((file) => `${stampOf(file).join('\n')}\n`)
  for (const line of lines.sort()) hash.update(line)
  if (claims !== undefined) hash.update(JSON.stringify(claims))
  return hash.digest('base64url')
}
