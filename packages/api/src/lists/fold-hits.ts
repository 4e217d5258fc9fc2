import type { SearchHit } from './sessions.ts'

/** A line in a list of hits, and further hits of its session with the same text. */
export interface HitLine<Hit> {
  hit: Hit
  alike: Hit[]
}

/** Merges hits of one session with equal lines into one line, at the position of the first. */
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
