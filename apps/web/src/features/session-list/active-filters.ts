import { LIST_KIND_LABELS, type ListSearch, RANGE_LABELS } from '../../lib/address/list-search.ts'
import { formatModel } from '../../lib/figures/format.ts'
import { describeHourKey } from '../../lib/figures/hours.ts'
import { describeDays } from './describe-days.ts'

export interface ActiveFilter {
  /** As it reads behind what it is a filter of: `39 sessions, last 7 days`. */
  words: string
  /** Which kind of session is listed. */
  isKind?: true
  /** What takes it off. */
  change: Partial<ListSearch>
}

/** Which filters of a list are set, each in words. Its order is none. */
export function activeFilters(search: ListSearch): ActiveFilter[] {
  const { q, range, from, to, hour, model, parent, home, kind, has, deleted, starred, tag } = search
  const days = range === undefined ? describeDays(search) : lowerFirst(RANGE_LABELS[range])
  return [
    parent !== undefined && { words: 'of one session', change: { parent: undefined, kind: undefined } },
    kind !== undefined &&
      parent === undefined && {
        words: lowerFirst(LIST_KIND_LABELS[kind]),
        isKind: true as const,
        change: { kind: undefined },
      },
    home !== undefined && { words: `home ${home}`, change: { home: undefined } },
    q !== undefined && { words: `title contains “${q}”`, change: { q: undefined } },
    (range ?? from ?? to) !== undefined && {
      words: days ?? 'time',
      change: { range: undefined, from: undefined, to: undefined },
    },
    hour !== undefined && { words: describeHourKey(hour) ?? 'hour', change: { hour: undefined } },
    model !== undefined && { words: `model ${formatModel(model)}`, change: { model: undefined } },
    has === 'errors' && { words: 'failed', change: { has: undefined } },
    has === 'live' && { words: 'live', change: { has: undefined } },
    deleted !== undefined && {
      words: deleted === 'only' ? 'deleted' : 'not deleted',
      change: { deleted: undefined },
    },
    starred !== undefined && { words: 'starred', change: { starred: undefined } },
    tag !== undefined && { words: `tag ${tag}`, change: { tag: undefined } },
  ].filter((filter) => filter !== false)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
