import { USAGE_METRICS, USAGE_RANGES, type UsageSearch } from '../../../lib/address/page-searches.ts'
import { Segmented } from '../../../ui/controls/segmented.tsx'

const RANGES = [
  { value: '7d', label: '7 days' },
  { value: '', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '365d', label: 'Year' },
  { value: 'all', label: 'All' },
] as const
const METRICS = [
  { value: '', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'sessions', label: 'Sessions' },
] as const
const SPLITS = [
  { value: '', label: 'By model' },
  { value: 'project', label: 'By project' },
] as const

interface Props {
  search: UsageSearch
  /** false: the user is on a plan and wants no prices. */
  hasPrices: boolean
  onSearch: (change: Partial<UsageSearch>) => void
}

/** Which days the usage page is about, what it measures, and what its columns are made of. */
export function UsageSwitches({ search, hasPrices, onSearch }: Props) {
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
        value={search.range ?? ''}
        options={RANGES}
        onChange={(value) => onSearch({ range: USAGE_RANGES.find((it) => it === value) })}
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
