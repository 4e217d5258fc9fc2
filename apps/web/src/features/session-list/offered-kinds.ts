import type { SessionList } from '@gemini-dash/api'
import { LIST_KINDS, type ListKind } from '../../lib/address/list-search.ts'

/** Kinds of which there are sessions, beside those that somebody talked in; and the one that is chosen. */
export function offeredKinds(chosen: ListKind | undefined, kinds: SessionList['kinds']): ListKind[] {
  const offered = LIST_KINDS.filter((each) =>
    each === 'all' ? kinds.length > 1 : kinds.some((known) => known.kind === each),
  )
  return chosen === undefined || offered.includes(chosen) ? offered : [...offered, chosen]
}
