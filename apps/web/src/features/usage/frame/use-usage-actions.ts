import { apiPaths } from '@gemini-dash/api/paths'
import { download } from '../../../api/request/download.ts'
import { choiceHandlers, valuesOf } from '../../../lib/actions/choice-actions.ts'
import { useActions } from '../../../lib/actions/use-actions.ts'
import {
  USAGE_CHARTS,
  USAGE_METRIC_LABELS,
  USAGE_RANGE_LABELS,
  USAGE_SPLIT_LABELS,
  type UsageSearch,
} from '../../../lib/address/page-searches.ts'
import { sayError } from '../../../lib/browser/say.ts'
import { timeZone } from '../../../lib/figures/time-zone.ts'

interface Shown {
  search: UsageSearch
  /** First day of the range. */
  from: string | undefined
  hasPrices: boolean
  onSearch: (change: Partial<UsageSearch>) => void
}

/** What the palette can do with the usage: its switches, its tables and its days as a file. */
export function useUsageActions({ search, from, hasPrices, onSearch }: Shown): void {
  const { project, tables } = search
  const metrics = valuesOf(USAGE_METRIC_LABELS).filter((metric) => hasPrices || metric !== '')
  useActions({
    ...choiceHandlers('range', valuesOf(USAGE_RANGE_LABELS), (range) => onSearch({ range })),
    ...choiceHandlers('metric', metrics, (metric) => onSearch({ metric: metric || undefined })),
    ...(project === undefined
      ? choiceHandlers('split', valuesOf(USAGE_SPLIT_LABELS), (split) =>
          onSearch({ split: split || undefined }),
        )
      : { allProjects: () => void onSearch({ project: undefined }) }),
    showTables: () => void onSearch({ tables: tables === undefined ? USAGE_CHARTS.join(',') : undefined }),
    exportUsage: () =>
      // fetched by the page: led to it, one whose server is gone would not be there any more
      void download(
        apiPaths.usage({ by: 'day', from, project, split: 'model', tz: timeZone(), format: 'csv' }),
      ).catch(sayError),
  })
}
