import { choiceParam, choicesParam, pagesParam, type RawSearch, textParam } from './search-params.ts'

/** Keys or ids of the sessions side by side; a missing one is still to be chosen. */
export type CompareSearch = {
  a?: string
  b?: string
  /** Where the missing one is looked for, and by which part of its title; else in the project of the other. */
  of?: 'all'
  q?: string
}

export const COMPARE_SCOPE_LABELS = { project: 'Its project', all: 'All projects' } as const

/** What the address of a file's history says. */
export type FileSearch = {
  path?: string
  /** Part of a path, while none is chosen. */
  q?: string
  /** Key of the project that the path lies in. */
  project?: string
  show?: 'changes' | 'reads'
  /** How many pages of its history are shown, where it is more than one. */
  pages?: number
}

export const FILE_SHOW_LABELS = { all: 'All', changes: 'Changes', reads: 'Reads' } as const

export const USAGE_RANGES = ['7d', '30d', '90d', '365d', 'all'] as const
export type UsageRangeName = (typeof USAGE_RANGES)[number]
export const USAGE_METRICS = ['tokens', 'sessions'] as const

export const USAGE_RANGE_LABELS = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '365d': 'Year',
  all: 'All',
} as const
export const USAGE_METRIC_LABELS = { '': 'Cost', tokens: 'Tokens', sessions: 'Sessions' } as const
export const USAGE_SPLIT_LABELS = { '': 'By model', project: 'By project' } as const

/** The charts of the usage page, by which their tables are asked for. */
export const USAGE_CHARTS = ['days', 'year', 'hours', 'cache'] as const
export type UsageChart = (typeof USAGE_CHARTS)[number]

/** What the usage page shows; cost when nothing is said. */
export type UsageSearch = {
  /** The shortest one that has something when nothing is said. */
  range?: UsageRangeName
  metric?: (typeof USAGE_METRICS)[number]
  project?: string
  /** What columns are stacked of; models when nothing is said. */
  split?: 'project'
  /** Charts that are shown as tables, with commas between them. */
  tables?: string
}

export function readUsageSearch(search: RawSearch): UsageSearch {
  return {
    range: choiceParam(search, 'range', USAGE_RANGES),
    metric: choiceParam(search, 'metric', USAGE_METRICS),
    project: textParam(search, 'project'),
    split: choiceParam(search, 'split', ['project']),
    tables: choicesParam(search, 'tables', USAGE_CHARTS)?.join(','),
  }
}

export function readFileSearch(search: RawSearch): FileSearch {
  return {
    path: textParam(search, 'path'),
    q: textParam(search, 'q'),
    project: textParam(search, 'project'),
    show: choiceParam(search, 'show', ['changes', 'reads']),
    pages: pagesParam(search),
  }
}

/** The address of everything that was done to a file, for `<Link {...fileHistoryLink(path, projectKey)}>`. */
export function fileHistoryLink(path: string, projectKey: string | undefined) {
  return { to: '/file', search: { path, project: projectKey } } as const
}

export function readCompareSearch(search: RawSearch): CompareSearch {
  return {
    a: textParam(search, 'a'),
    b: textParam(search, 'b'),
    of: choiceParam(search, 'of', ['all']),
    q: textParam(search, 'q'),
  }
}
