import { describeHourKey } from '../figures/hours.ts'
import { choiceParam, dayParam, type RawSearch, textParam } from './search-params.ts'

export const TIME_RANGES = ['today', '7d', '30d', '90d'] as const
export type RecentRange = (typeof TIME_RANGES)[number]

export const RANGE_LABELS: Record<RecentRange, string> = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
}

/** Other than the newest first; with `-`, turned around. */
export const LIST_ORDERS = [
  'oldest',
  'cost',
  'tokens',
  'messages',
  'turns',
  'tools',
  'failed',
  'duration',
  '-recent',
  '-cost',
  '-tokens',
  '-messages',
  '-turns',
  '-tools',
  '-failed',
  '-duration',
] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

/** Beside `main`, which is what is shown unless another is asked for. */
export const LIST_KINDS = ['subagent', 'checkpoint', 'prompts-only', 'all'] as const
export type ListKind = (typeof LIST_KINDS)[number]

export const LIST_KIND_LABELS: Record<ListKind | 'main', string> = {
  main: 'Sessions',
  subagent: 'Sub-agents',
  checkpoint: 'Saved chats',
  'prompts-only': 'Prompts only',
  all: 'Everything',
}

/** What the list of sessions is filtered by; home and project page alike. */
export type ListSearch = {
  /** Part of a title or first prompt. */
  q?: string
  range?: RecentRange
  /** Days `YYYY-MM-DD` in place of a range, as links from the usage page say them; `to` is not included. */
  from?: string
  to?: string
  /** An hour of the week, `1-00` to `7-23`, in which a model was called. */
  hour?: string
  model?: string
  has?: 'errors' | 'live'
  /** Those that are left in the archive alone, or all others; without it, both. */
  deleted?: 'only' | 'exclude'
  /** Only what the reader starred. */
  starred?: 'yes'
  /** One of the reader's own tags. */
  tag?: string
  /** Other than the sessions that somebody talked in. */
  kind?: ListKind
  /** Key of the session whose sub-agents are meant. */
  parent?: string
  /** Label of a home, where there are several. */
  home?: string
  sort?: ListOrder
}

export function readListSearch(search: RawSearch): ListSearch {
  return {
    q: textParam(search, 'q'),
    range: choiceParam(search, 'range', TIME_RANGES),
    from: dayParam(search, 'from'),
    to: dayParam(search, 'to'),
    hour: hourParam(search),
    model: textParam(search, 'model'),
    has: choiceParam(search, 'has', ['errors', 'live']),
    deleted: choiceParam(search, 'deleted', ['only', 'exclude']),
    starred: choiceParam(search, 'starred', ['yes']),
    tag: textParam(search, 'tag'),
    kind: choiceParam(search, 'kind', LIST_KINDS),
    parent: textParam(search, 'parent'),
    home: textParam(search, 'home'),
    sort: choiceParam(search, 'sort', LIST_ORDERS),
  }
}

function hourParam(search: RawSearch): string | undefined {
  const hour = textParam(search, 'hour')
  return hour !== undefined && describeHourKey(hour) !== undefined ? hour : undefined
}
