import '../features/usage/usage.css'
import type { Coverage } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { healthQuery } from '../api/queries.ts'
import { isUnanswered } from '../api/request.ts'
import { projectsQuery, usageQuery } from '../api/usage.ts'
import { BudgetNotices } from '../features/budgets/budget-notices.tsx'
import { FirstRun, useEmptyHomes } from '../features/first-run.tsx'
import { IndexProgress } from '../features/index-progress.tsx'
import { UsageChart } from '../features/usage/columns.tsx'
import type { UsageMetric } from '../features/usage/metrics.tsx'
import { UsageTable } from '../features/usage/ranking.tsx'
import { ThreeFigures, UsageWhyView } from '../features/usage/summary.tsx'
import {
  recordedDays,
  shortestRange,
  type UsageRange,
  unitOf,
  unitsFor,
  usageRange,
  useUsageActions,
} from '../features/usage/usage-range.tsx'
import { optionsOf } from '../lib/action-table.ts'
import { classNames } from '../lib/browser.ts'
import { currentTime, dayOf, startOfDay } from '../lib/dates.ts'
import { formatCount } from '../lib/figures.ts'
import { useDocumentTitle } from '../lib/hooks.ts'
import { useNow } from '../lib/list-hooks.ts'
import { USAGE_RANGE_LABELS, type UsageRangeName, type UsageSearch } from '../lib/page-searches.ts'
import { Button, SelectButton } from '../ui/buttons/button.tsx'
import { ZoneButton } from '../ui/buttons/menu-item.tsx'
import { lazyDialog } from '../ui/lazy.tsx'
import { Notice } from '../ui/states.tsx'

const ExportDataDialog = lazyDialog(() => import('../features/usage/export-data-dialog.tsx'))
const route = getRouteApi('/usage')
const RANGES = optionsOf(USAGE_RANGE_LABELS)

/** Usage over a range of days: three figures, reasons, a chart and a table. */
export function UsagePage() {
  const { project, range } = route.useSearch()
  const { opened, firstDay } = useRecord(project)
  const emptyHomes = useEmptyHomes()
  if (emptyHomes !== null) return <FirstRun homes={emptyHomes} />
  const rangeName = range ?? opened
  return rangeName === null ? (
    <main className="page-main usage-page" id="main" tabIndex={-1} aria-busy="true" />
  ) : (
    <UsageOf rangeName={rangeName} firstDay={firstDay} />
  )
}

interface Recorded {
  /** Default range if the address has none; fixed once determined. null: not known yet. */
  opened: UsageRangeName | null
  /** First recorded day; undefined: not known, or none. */
  firstDay: string | undefined
}

function useRecord(project: string | undefined): Recorded {
  const usage = useQuery(usageQuery({ by: 'day', project }))
  const [kept, setKept] = useState<{ project: string | undefined; range: UsageRangeName } | null>(null)
  const { data, isPlaceholderData } = usage
  const isAnswered =
    data !== undefined && !isPlaceholderData && (data.rows.length > 0 || isWhole(data.coverage))
  const firstDay = isAnswered ? recordedDays(data.rows)[0] : undefined
  if (kept !== null && kept.project === project) return { opened: kept.range, firstDay }
  if (isAnswered) setKept({ project, range: shortestRange(data.rows, currentTime()) })
  // its panels report the failure
  else if (isUnanswered(usage)) setKept({ project, range: '30d' })
  return { opened: null, firstDay }
}

function isWhole({ filesDone, filesTotal }: Coverage): boolean {
  return filesDone >= filesTotal
}

interface UsageOfProps {
  rangeName: UsageRangeName
  firstDay: string | undefined
}

function UsageOf({ rangeName, firstDay }: UsageOfProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [isExporting, setIsExporting] = useState(false)
  const today = dayOf(useNow())
  const range = useMemo(() => usageRange(rangeName, startOfDay(today)), [rangeName, today])
  const hasPrices = useQuery(healthQuery()).data?.prices.plan !== 'nothing'
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  const project = projects.find(({ key, name }) => key === search.project || name === search.project)
  const report = useQuery(usageQuery({ by: 'model', from: range.from, project: search.project }))
  const isEmpty = report.data?.total.sessions === 0 && !report.isPlaceholderData
  const onSearch = (change: Partial<UsageSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
  useDocumentTitle('Usage', project?.name)
  useUsageActions({ search, hasPrices, onSearch, onExport: () => setIsExporting(true) })
  return (
    <main className="page-main usage-page" id="main" tabIndex={-1}>
      <div className="usage-head">
        <h1 className="page-title">Usage</h1>
        <SelectButton
          label="Range"
          value={rangeName}
          options={RANGES}
          isMarked={false}
          onChange={(value) => onSearch({ range: RANGES.find((each) => each.value === value)?.value })}
        />
        <SelectButton
          label="Project"
          value={project?.key ?? search.project ?? ''}
          options={[
            { value: '', label: 'All projects' },
            ...projects.map(({ key, name }) => ({ value: key, label: name })),
          ]}
          onChange={(value) => onSearch({ project: value || undefined })}
        />
        <Button look="quiet" className="push" onClick={() => setIsExporting(true)}>
          Export data…
        </Button>
      </div>
      <IndexProgress />
      <BudgetNotices />
      <div className={classNames('usage-panels in-order', report.isPlaceholderData && 'stale')}>
        {isEmpty ? (
          <EmptyRange range={rangeName} onShowAll={() => onSearch({ range: 'all' })} />
        ) : (
          <RangePanels {...{ search, range, firstDay, today, hasPrices, onSearch }} />
        )}
      </div>
      <p className="usage-foot meta">
        {hasPrices
          ? `List prices in USD. Sub-agents included. Requests without a known price aren’t included (${formatCount(report.data?.total.cost.unpricedCalls ?? 0)}).`
          : 'Prices are switched off, as you are on a plan. Sub-agents included.'}{' '}
        Days in <ZoneButton />.
      </p>
      {isExporting && (
        <Suspense>
          <ExportDataDialog
            from={range.from}
            projectKey={search.project}
            onClose={() => setIsExporting(false)}
          />
        </Suspense>
      )}
    </main>
  )
}

interface RangePanelsProps {
  search: UsageSearch
  range: UsageRange
  firstDay: string | undefined
  today: string
  hasPrices: boolean
  onSearch: (change: Partial<UsageSearch>) => void
}

function RangePanels({ search, range, firstDay, today, hasPrices, onSearch }: RangePanelsProps) {
  const first = range.from ?? firstDay ?? today
  const days = useMemo(() => ({ first, last: today }), [first, today])
  const units = unitsFor(days)
  const unit = search.unit !== undefined && units.includes(search.unit) ? search.unit : unitOf(days)
  const metric = metricOf(search, hasPrices)
  const scope = { from: range.from, projectKey: search.project }
  return (
    <>
      <ThreeFigures range={range} projectKey={search.project} firstDay={firstDay} hasPrices={hasPrices} />
      {hasPrices && <UsageWhyView scope={{ from: range.from, project: search.project }} />}
      <UsageChart
        {...{ ...scope, days, unit, metric, hasPrices }}
        onUnit={(next) => onSearch({ unit: next })}
        onMetric={(next) => onSearch({ metric: next })}
      />
      <UsageTable
        {...{ ...scope, metric, hasPrices }}
        table={search.table ?? 'sessions'}
        onTable={(table) => onSearch({ table })}
      />
    </>
  )
}

/** Default: cost; tokens on a plan. */
function metricOf({ metric }: UsageSearch, hasPrices: boolean): UsageMetric {
  if (metric === undefined || metric === 'cost') return hasPrices ? 'cost' : 'tokens'
  return metric
}

function EmptyRange({ range, onShowAll }: { range: UsageRangeName; onShowAll: () => void }) {
  return (
    <Notice>
      {range === 'all' ? 'No requests recorded.' : `Nothing in the last ${parseInt(range, 10)} days.`}{' '}
      {range !== 'all' && <Button onClick={onShowAll}>Show all time</Button>}
    </Notice>
  )
}
