import type { SessionList } from '@gemini-dash/api'
import { LIST_KINDS, type ListKind } from '../../lib/address/list-search.ts'

/** How many sessions there are of a kind, whatever the other filters; empty ones are of a kind of their own. */
export function countOfKind(kinds: SessionList['kinds'], wanted: ListKind | 'main'): number {
  const countOf = (kind: string) => kinds.find((each) => each.kind === kind)?.sessions ?? 0
  if (wanted === 'main') return countOf('main') - countOf('empty')
  if (wanted !== 'all') return countOf(wanted)
  return kinds.reduce((sum, { kind, sessions }) => sum + (kind === 'empty' ? 0 : sessions), 0)
}

/** Kinds of which there are sessions, beside those that somebody talked in; and the one that is chosen. */
export function offeredKinds(chosen: ListKind | undefined, kinds: SessionList['kinds']): ListKind[] {
  const offered = LIST_KINDS.filter((each) =>
    each === 'all'
      ? kinds.filter(({ kind }) => kind !== 'empty').length > 1
      : kinds.some((known) => known.kind === each),
  )
  return chosen === undefined || offered.includes(chosen) ? offered : [...offered, chosen]
}
