import type { SessionCriteria } from '../../api/sessions.ts'
import type { ListSearch } from '../../lib/address/list-search.ts'
import { firstDay } from '../../lib/figures/day-range.ts'

/** What the address says, as the API asks for it. */
export function toSessionFilter(search: ListSearch, project: string | undefined, now: Date): SessionCriteria {
  return {
    project,
    title: search.q,
    model: search.model,
    hour: search.hour,
    has: search.has,
    deleted: search.deleted,
    starred: search.starred === 'yes' ? 'true' : undefined,
    tag: search.tag,
    kind: search.kind,
    // they have a kind of their own
    empty: search.kind === undefined ? 'exclude' : undefined,
    parent: search.parent,
    home: search.home,
    sort: search.sort,
    from: search.range ? firstDay(search.range, now) : search.from,
    to: search.range ? undefined : search.to,
  }
}
