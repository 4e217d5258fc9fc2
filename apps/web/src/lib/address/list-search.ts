export const TIME_RANGES = ['today', '7d', '30d', '90d'] as const
export type RecentRange = (typeof TIME_RANGES)[number]

export const RANGE_LABELS: Record<RecentRange, string> = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
}

/** As the menu of times says them. */
export const LIST_TIME_LABELS = { '': 'Any time', ...RANGE_LABELS }

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

export const LIST_ORDER_LABELS: Record<ListOrder | '', string> = {
  '': 'Newest first',
  oldest: 'Oldest first',
  cost: 'Most expensive',
  tokens: 'Most tokens',
  messages: 'Most messages',
  turns: 'Most turns',
  tools: 'Most tool calls',
  failed: 'Most failures',
  duration: 'Longest',
  '-recent': 'Least recently active',
  '-cost': 'Least expensive',
  '-tokens': 'Fewest tokens',
  '-messages': 'Fewest messages',
  '-turns': 'Fewest turns',
  '-tools': 'Fewest tool calls',
  '-failed': 'Fewest failures',
  '-duration': 'Shortest',
}

/** Beside `main`, which is what is shown unless another is asked for. */
export const LIST_KINDS = ['subagent', 'checkpoint', 'prompts-only', 'empty', 'all'] as const
export type ListKind = (typeof LIST_KINDS)[number]

export const LIST_KIND_LABELS: Record<ListKind | 'main', string> = {
  main: 'Sessions',
  subagent: 'Sub-agents',
  checkpoint: 'Saved chats',
  'prompts-only': 'Prompts only',
  empty: 'Empty',
  all: 'Everything',
}

/** Whether sessions are listed that are left in the archive alone. */
export const DELETED_LABELS = { '': 'With deleted', only: 'Only deleted', exclude: 'Without deleted' }

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
  /** On the page of a project: its chart as a table. */
  tables?: 'days'
}

/** Takes off whatever leaves sessions out; the order stays. */
export const NO_LIST_FILTER = {
  q: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  hour: undefined,
  model: undefined,
  has: undefined,
  deleted: undefined,
  starred: undefined,
  tag: undefined,
  kind: undefined,
  parent: undefined,
  home: undefined,
} as const satisfies Partial<ListSearch>
