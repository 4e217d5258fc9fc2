import type { SearchHit } from '@gemini-dash/api'

export type HitGroup = { sessionKey: string; hits: SearchHit[] }

/** Hits by session; sessions and hits both in the order in which they came. */
export function groupHits(hits: SearchHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>()
  for (const hit of hits) {
    const group = groups.get(hit.sessionKey)
    if (group) group.hits.push(hit)
    else groups.set(hit.sessionKey, { sessionKey: hit.sessionKey, hits: [hit] })
  }
  return [...groups.values()]
}
