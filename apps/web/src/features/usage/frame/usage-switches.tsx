import { optionsOf } from '../../../lib/actions/choice-actions.ts'
import {
  USAGE_METRIC_LABELS,
  USAGE_METRICS,
  USAGE_RANGE_LABELS,
  USAGE_SPLIT_LABELS,
  type UsageRangeName,
  type UsageSearch,
} from '../../../lib/address/page-searches.ts'
import { Segmented } from '../../../ui/controls/segmented.tsx'

const RANGES = optionsOf(USAGE_RANGE_LABELS)
const METRICS = optionsOf(USAGE_METRIC_LABELS)
const SPLITS = optionsOf(USAGE_SPLIT_LABELS)

interface Props {
  search: UsageSearch
  range: UsageRangeName
  /** false: the user is on a plan and wants no prices. */
  hasPrices: boolean
  onSearch: (change: Partial<UsageSearch>) => void
}

/** Which days the usage page is about, what it measures, and what its columns are made of. */
export function UsageSwitches({ search, range, hasPrices, onSearch }: Props) {
  return (
    <div className="usage-switches">
      {search.project === undefined && (
        <Segmented
          label="Columns"
          value={search.split ?? ''}
          options={SPLITS}
          onChange={(value) => onSearch({ split: value || undefined })}
        />
      )}
      <Segmented
        label="Range"
        value={range}
        options={RANGES}
        onChange={(value) => onSearch({ range: value })}
      />
      <Segmented
        label="Metric"
        value={search.metric ?? (hasPrices ? '' : 'tokens')}
        options={hasPrices ? METRICS : METRICS.filter(({ value }) => value !== '')}
        onChange={(value) => onSearch({ metric: USAGE_METRICS.find((it) => it === value) })}
      />
    </div>
  )
}
