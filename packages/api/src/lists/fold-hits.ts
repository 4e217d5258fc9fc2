import type { SearchHit } from './sessions.ts'

/** A line of a list of hits, and the further hits of its session that read the same. */
export interface HitLine<Hit> {
  hit: Hit
  alike: Hit[]
}

/** Hits of one session whose lines are equal become one line, in the place of the first of them. */
export function foldHits<Hit extends Pick<SearchHit, 'sessionKey' | 'field' | 'toolName' | 'snippet'>>(
  hits: readonly Hit[],
): HitLine<Hit>[] {
  const lines = new Map<string, HitLine<Hit>>()
  for (const hit of hits) {
    const { sessionKey, field, toolName, snippet } = hit
    const line = JSON.stringify([sessionKey, field, toolName, snippet.replace(/\s+/g, ' ').trim()])
    const known = lines.get(line)
    if (known === undefined) lines.set(line, { hit, alike: [] })
    else known.alike.push(hit)
  }
  return [...lines.values()]
}
