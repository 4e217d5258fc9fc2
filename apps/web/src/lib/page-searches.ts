import { SOURCES } from '@gemini-dash/api/source-names'
import type { SessionProgram } from 'gemini-sessions'
import {
  choiceParam,
  choicesParam,
  dayParam,
  pagesParam,
  type RawSearch,
  textParam,
} from './search-params.ts'

/** Labels of the searched fields in facets, chips and hits. */
export const SEARCH_FIELD_LABELS = {
  title: 'Title',
  prompt: 'You',
  answer: 'Gemini',
  thought: 'Thinking',
  'tool-args': 'Tool input',
  'tool-output': 'Tool output',
  notice: 'Notice',
  attachment: 'Attached file',
} as const
export const SEARCHED_FIELDS = Object.keys(SEARCH_FIELD_LABELS) as (keyof typeof SEARCH_FIELD_LABELS)[]

export const SEARCH_STATE_LABELS = {
  error: 'Failed or unanswered',
  live: 'Live session',
  subagent: 'Sub-agent',
  superseded: 'Rewound or replaced',
} as const
export const SEARCH_STATES = Object.keys(SEARCH_STATE_LABELS) as (keyof typeof SEARCH_STATE_LABELS)[]

export const SEARCH_MODE_LABELS = { '': 'Words', substring: 'Exact', regex: 'Regex' } as const
export const SEARCH_ORDER_LABELS = { '': 'Best match', recent: 'Newest' } as const

/** Search parameters of the search page. */
export type FindSearch = {
  q?: string
  mode?: 'substring' | 'regex'
  sort?: 'recent'
  // Several values are separated by commas.
  project?: string
  model?: string
  in?: string
  tool?: string
  status?: string
  is?: string
  source?: string
  /** `YYYY-MM-DD`: one day, or the start of a range; `to` is exclusive. */
  day?: string
  range?: SearchRange
  from?: string
  to?: string
  /** Number of loaded pages of hits, if more than one. */
  pages?: number
}

export const SEARCH_RANGES = ['today', '7d', '30d'] as const
export type SearchRange = (typeof SEARCH_RANGES)[number]

export const SEARCH_TIME_LABELS: Record<SearchRange | '', string> = {
  '': 'Any time',
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}

export function readFindSearch(search: RawSearch): FindSearch {
  return {
    q: textParam(search, 'q'),
    mode: choiceParam(search, 'mode', ['substring', 'regex']),
    sort: choiceParam(search, 'sort', ['recent']),
    project: textParam(search, 'project'),
    model: textParam(search, 'model'),
    in: choicesParam(search, 'in', SEARCHED_FIELDS)?.join(','),
    tool: textParam(search, 'tool'),
    status: textParam(search, 'status'),
    is: choicesParam(search, 'is', SEARCH_STATES)?.join(','),
    source: textParam(search, 'source'),
    day: dayParam(search, 'day'),
    range: choiceParam(search, 'range', SEARCH_RANGES),
    from: dayParam(search, 'from'),
    to: dayParam(search, 'to'),
    pages: pagesParam(search),
  }
}

/** New parameters, or a function of the current ones, as another change may be pending. */
export type FindChange = Partial<FindSearch> | ((before: FindSearch) => Partial<FindSearch>)

/** Removes all time filters. */
export const NO_TIME = { day: undefined, range: undefined, from: undefined, to: undefined } as const

/** Removes all filters except the query. */
export const NO_FACET = {
  ...NO_TIME,
  in: undefined,
  project: undefined,
  model: undefined,
  tool: undefined,
  status: undefined,
  is: undefined,
  source: undefined,
} as const satisfies Partial<FindSearch>

/** Adds or removes one of several comma-separated values. */
export function withValue(values: string | undefined, value: string, isWanted: boolean): string | undefined {
  const others = (values?.split(',') ?? []).filter((other) => other !== value)
  const next = isWanted ? [...others, value] : others
  return next.length > 0 ? next.join(',') : undefined
}

/** Query filter for changes to a file. */
export function fileFilter(path: string): string {
  return /^[\w./-]+$/.test(path) ? `file:${path}` : `file:"${path.replaceAll('"', '')}"`
}

/** Query filter for calls of a tool. */
export function toolFilter(tool: string): string {
  return /^[\w.:/-]+$/.test(tool) ? `tool:${tool}` : `tool:"${tool.replaceAll('"', '')}"`
}

/** Keys or ids of the compared sessions. */
type CompareSearch = {
  a?: string
  b?: string
}

/** Parameters of the former file history page, which is now part of the search. */
type FileSearch = {
  path?: string
  /** Part of a path. */
  q?: string
  /** Key of the project that contains the path. */
  project?: string
}

const USAGE_RANGES = ['7d', '30d', '90d', '365d', 'all'] as const
export type UsageRangeName = (typeof USAGE_RANGES)[number]
export const USAGE_RANGE_LABELS = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '365d': 'Last 365 days',
  all: 'All time',
} as const
export const USAGE_METRIC_LABELS = { cost: 'Cost', tokens: 'Tokens', sessions: 'Sessions' } as const
export const USAGE_UNIT_LABELS = { day: 'Day', week: 'Week', month: 'Month' } as const
export const USAGE_TABLE_LABELS = {
  sessions: 'Sessions',
  projects: 'Projects',
  models: 'Models',
  tools: 'Tools',
} as const

const METRICS = ['cost', 'tokens', 'sessions'] as const
const UNITS = ['day', 'week', 'month'] as const
const TABLES = ['sessions', 'projects', 'models', 'tools'] as const
export type UsageTableName = (typeof TABLES)[number]

/** Search parameters of the usage page. */
export type UsageSearch = {
  /** By default, the shortest range that has data. */
  range?: UsageRangeName
  project?: string
  /** Metric of the chart; default: cost. */
  metric?: (typeof METRICS)[number]
  /** Unit of a chart column; by default derived from the range. */
  unit?: (typeof UNITS)[number]
  /** Default: sessions. */
  table?: UsageTableName
}

export function readUsageSearch(search: RawSearch): UsageSearch {
  return {
    range: choiceParam(search, 'range', USAGE_RANGES),
    project: textParam(search, 'project'),
    metric: choiceParam(search, 'metric', METRICS),
    unit: choiceParam(search, 'unit', UNITS),
    table: choiceParam(search, 'table', TABLES),
  }
}

export function readFileSearch(search: RawSearch): FileSearch {
  return {
    path: textParam(search, 'path'),
    q: textParam(search, 'q'),
    project: textParam(search, 'project'),
  }
}

export function readCompareSearch(search: RawSearch): CompareSearch {
  return {
    a: textParam(search, 'a'),
    b: textParam(search, 'b'),
  }
}

export const TIME_RANGES = ['today', '7d', '30d', '90d'] as const
type RecentRange = (typeof TIME_RANGES)[number]

export const RANGE_LABELS: Record<RecentRange, string> = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
}

/** Labels of the time menu. */
export const LIST_TIME_LABELS = { '': 'All time', ...RANGE_LABELS }

/** Orders besides newest first; a leading `-` reverses them. */
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

/** Kinds besides `main`, the default. */
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

/** Whether to list sessions that exist only in the archive. */
export const DELETED_LABELS = { '': 'With deleted', only: 'Only deleted', exclude: 'Without deleted' }

/** Filters of the session list, for all projects or a single one. */
export type ListSearch = {
  /** Part of a title or first prompt. */
  q?: string
  range?: RecentRange
  /** Days `YYYY-MM-DD` instead of a range, as linked from the usage page; `to` is exclusive. */
  from?: string
  to?: string
  model?: string
  /** A tool that was called. */
  tool?: string
  /** Only sessions whose prompts have attachments. */
  attachments?: 'yes'
  has?: 'errors' | 'live'
  /** Only sessions that exist only in the archive, or all others; by default both. */
  deleted?: 'only' | 'exclude'
  /** Only starred sessions. */
  starred?: 'yes'
  /** One of the reader's tags. */
  tag?: string
  /** Kinds other than conversations. */
  kind?: ListKind
  /** Key of the session whose sub-agents are listed. */
  parent?: string
  /** Label of a Gemini folder, if there are several. */
  home?: string
  /** The program that recorded them, if there are several. */
  source?: SessionProgram
  sort?: ListOrder
}

/** Removes all filters; keeps the order. */
export const NO_LIST_FILTER = {
  q: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  model: undefined,
  tool: undefined,
  attachments: undefined,
  has: undefined,
  deleted: undefined,
  starred: undefined,
  tag: undefined,
  kind: undefined,
  parent: undefined,
  home: undefined,
  source: undefined,
} as const satisfies Partial<ListSearch>

export function readListSearch(search: RawSearch): ListSearch {
  return {
    q: textParam(search, 'q'),
    range: choiceParam(search, 'range', TIME_RANGES),
    from: dayParam(search, 'from'),
    to: dayParam(search, 'to'),
    model: textParam(search, 'model'),
    tool: textParam(search, 'tool'),
    attachments: choiceParam(search, 'attachments', ['yes']),
    has: choiceParam(search, 'has', ['errors', 'live']),
    deleted: choiceParam(search, 'deleted', ['only', 'exclude']),
    starred: choiceParam(search, 'starred', ['yes']),
    tag: textParam(search, 'tag'),
    kind: choiceParam(search, 'kind', LIST_KINDS),
    parent: textParam(search, 'parent'),
    home: textParam(search, 'home'),
    source: choiceParam(search, 'source', SOURCES),
    sort: choiceParam(search, 'sort', LIST_ORDERS),
  }
}
