import { choiceParam, type RawSearch, textParam } from './search-params.ts'

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
