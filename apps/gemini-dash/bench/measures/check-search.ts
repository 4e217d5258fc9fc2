import type { SearchResult } from '@gemini-dash/api'
import type { CountedQuery } from '../../../../fixtures/large/counted-queries.ts'
import type { HomeManifest } from '../../../../fixtures/large/home-manifest.ts'

type Found = Pick<SearchResult, 'total' | 'messageTotal' | 'hits'>

/** Only the needle's message and field; a prompt may also be its session's title. */
export function checkNeedle(needle: HomeManifest['needles'][number], { hits, total }: Found): string[] {
  const wanted = `${needle.kind} ${needle.query}`
  const beside = hits.filter(({ field }) => field !== 'title')
  const [hit] = beside
  if (hit === undefined) return [`${wanted}: not found in ${needle.field} of session ${needle.sessionId}`]
  if (beside.length > 1 || total !== hits.length) return [`${wanted}: ${total} hits, not 1`]
  if (hit.messageId === needle.messageId && hit.field === needle.field) return []
  return [
    `${wanted}: found in ${hit.field} of message ${hit.messageId}, not in ${needle.field} of ${needle.messageId}`,
  ]
}

export function checkCounted({ query, messages }: CountedQuery, { messageTotal }: Found): string[] {
  return messageTotal === messages ? [] : [`${query}: ${messageTotal} messages, not ${messages}`]
}

/** No hits at all. */
export function checkNothing(query: string, { total }: Found): string[] {
  return total === 0 ? [] : [`${query}: ${total} hits, not 0`]
}
