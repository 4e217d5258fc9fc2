import { choiceParam, type RawSearch, textParam } from './search-params.ts'

/** Keys or ids of the sessions side by side; a missing one is still to be chosen. */
export type CompareSearch = { a?: string; b?: string }

/** What the address of a file's history says. */
export type FileSearch = {
  path?: string
  /** Key of the project that the path lies in. */
  project?: string
  show?: 'changes' | 'reads'
}

export const USAGE_RANGES = ['7d', '90d', '365d', 'all'] as const
export const USAGE_METRICS = ['tokens', 'sessions'] as const

/** What the usage page shows; 30 days of cost when nothing is said. */
export type UsageSearch = {
  range?: (typeof USAGE_RANGES)[number]
  metric?: (typeof USAGE_METRICS)[number]
  project?: string
  /** What columns are stacked of; models when nothing is said. */
  split?: 'project'
}

export function readUsageSearch(search: RawSearch): UsageSearch {
  return {
    range: choiceParam(search, 'range', USAGE_RANGES),
    metric: choiceParam(search, 'metric', USAGE_METRICS),
    project: textParam(search, 'project'),
    split: choiceParam(search, 'split', ['project']),
  }
}

export function readFileSearch(search: RawSearch): FileSearch {
  return {
    path: textParam(search, 'path'),
    project: textParam(search, 'project'),
    show: choiceParam(search, 'show', ['changes', 'reads']),
  }
}

/** The address of everything that was done to a file, for `<Link {...fileHistoryLink(path, projectKey)}>`. */
export function fileHistoryLink(path: string, projectKey: string | undefined) {
  return { to: '/file', search: { path, project: projectKey } } as const
}

export function readCompareSearch(search: RawSearch): CompareSearch {
  return { a: textParam(search, 'a'), b: textParam(search, 'b') }
}
