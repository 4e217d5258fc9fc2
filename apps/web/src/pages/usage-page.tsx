import '../ui/frames/rail-frame.css'
import './usage-page.css'
import type { Coverage } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { healthQuery } from '../api/health.ts'
import { projectsQuery } from '../api/projects.ts'
import { isUnanswered } from '../api/request/is-unanswered.ts'
import { usageQuery } from '../api/usage.ts'
import { BudgetNotices } from '../features/budgets/budget-notices.tsx'
import { BudgetPanel } from '../features/budgets/budget-panel.tsx'
import { ExplainLayer } from '../features/explain/explain-layer.tsx'
import { FirstRun, useEmptyHomes } from '../features/first-run/first-run.tsx'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { CachePanel } from '../features/usage/cache/cache-panel.tsx'
import { HourPanel } from '../features/usage/cells/hour-panel.tsx'
import { YearPanel } from '../features/usage/cells/year-panel.tsx'
import type { UsageSplit } from '../features/usage/columns/columns.ts'
import { DayPanel } from '../features/usage/columns/day-panel.tsx'
import { ChartTablesContext } from '../features/usage/frame/chart-tables.ts'
import type { UsageMetric } from '../features/usage/frame/usage-metric.ts'
import { shortestRange, type UsageRange, usageRange } from '../features/usage/frame/usage-range.ts'
import { UsageSwitches } from '../features/usage/frame/usage-switches.tsx'
import { useUsageActions } from '../features/usage/frame/use-usage-actions.ts'
import { ModelRanking, ProjectRanking, SessionRanking } from '../features/usage/ranking/rankings.tsx'
import { ToolRanking } from '../features/usage/ranking/tool-ranking.tsx'
import { UsageTiles } from '../features/usage/summary/usage-tiles.tsx'
import { UsageWhyView } from '../features/usage/summary/usage-why.tsx'
import { withValue } from '../lib/address/find-search.ts'
import type { UsageChart, UsageRangeName, UsageSearch } from '../lib/address/page-searches.ts'
import { classNames } from '../lib/browser/class-names.ts'
import { currentTime } from '../lib/figures/current-time.ts'
import { dayOf, formatDate, startOfDay } from '../lib/figures/format.ts'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { useNow } from '../lib/hooks/use-now.ts'
import { Button } from '../ui/buttons/button.tsx'
import { ZoneButton } from '../ui/buttons/zone-button.tsx'
import { Notice } from '../ui/states/notice.tsx'

const route = getRouteApi('/usage')

/** What was used over a range of days: totals, per day by model, and who used most. */
export function UsagePage() {
  const search = route.useSearch()
  const opened = useOpenedRange(search.project)
  const emptyHomes = useEmptyHomes()
  if (emptyHomes !== null) return <FirstRun homes={emptyHomes} />
  const rangeName = search.range ?? opened
  return rangeName === null ? (
    <main className="page-main usage-page" id="main" tabIndex={-1} aria-busy="true" />
  ) : (
    <UsageOf rangeName={rangeName} />
  )
}

/** The range that the page opens on where its address names none; it stays, whatever is recorded meanwhile. null: not known yet. */
function useOpenedRange(project: string | undefined): UsageRangeName | null {
  const usage = useQuery(usageQuery({ by: 'day', project }))
  const [opened, setOpened] = useState<{ project: string | undefined; range: UsageRangeName } | null>(null)
  if (opened !== null && opened.project === project) return opened.range
  const { data, isPlaceholderData } = usage
  const isTold = data !== undefined && !isPlaceholderData && (data.rows.length > 0 || isWhole(data.coverage))
  if (isTold) setOpened({ project, range: shortestRange(data.rows, currentTime()) })
  // its panels say that nothing could be asked for
  else if (isUnanswered(usage)) setOpened({ project, range: '30d' })
  return null
}

function isWhole({ filesDone, filesTotal }: Coverage): boolean {
  return filesDone >= filesTotal
}

function UsageOf({ rangeName }: { rangeName: UsageRangeName }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = dayOf(useNow())
  const range = useMemo(() => usageRange(rangeName, startOfDay(today)), [rangeName, today])
  const isWithoutPrices = useQuery(healthQuery()).data?.prices.plan === 'nothing'
  const metric: UsageMetric = search.metric ?? (isWithoutPrices ? 'tokens' : 'cost')
  const projects = useQuery(projectsQuery()).data?.projects
  const project = projects?.find(({ key, name }) => key === search.project || name === search.project)
  const split = search.project === undefined && search.split ? search.split : 'model'
  const report = useQuery(usageQuery({ by: 'day', from: range.from, project: search.project, split }))
  useDocumentTitle('Usage', project?.name)
  const firstDay = range.from ?? report.data?.rows.map((row) => row.key).toSorted()[0]
  const isEmpty = report.data?.rows.length === 0 && !report.isPlaceholderData
  const budgets = (
    <BudgetPanel projects={projects ?? []} projectKey={project?.key} isWithoutPrices={isWithoutPrices} />
  )
  const onSearch = (change: Partial<UsageSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
  const onTable = (chart: UsageChart, isTable: boolean) =>
    void navigate({
      search: (before) => ({ ...before, tables: withValue(before.tables, chart, isTable) }),
      resetScroll: false,
    })
  useUsageActions({ search, from: range.from, hasPrices: !isWithoutPrices, onSearch })
  return (
    <main className="page-main usage-page" id="main" tabIndex={-1}>
      <div className="usage-head">
        <h1 className="page-title">Usage</h1>
        <p className="text-ink-2">
          {firstDay &&
            `${formatDate(startOfDay(firstDay).toISOString())} to ${formatDate(startOfDay(today).toISOString())}, `}
          {search.project === undefined ? 'all projects' : (project?.name ?? search.project)}
          {', days in '}
          <ZoneButton />
          {search.project !== undefined && (
            <Link
              from="/usage"
              to="/usage"
              search={({ project: _, ...others }) => others}
              className="link ms-3"
            >
              All projects
            </Link>
          )}
        </p>
        <UsageSwitches search={search} range={rangeName} hasPrices={!isWithoutPrices} onSearch={onSearch} />
      </div>
      <IndexProgress />
      <BudgetNotices />
      <ChartTablesContext value={{ tables: search.tables, onTable }}>
        <ExplainLayer>
          <div className={classNames('usage-panels in-order', report.isPlaceholderData && 'stale')}>
            {isEmpty ? (
              <>
                <EmptyRange range={rangeName} onShowAll={() => onSearch({ range: 'all' })} />
                {budgets}
              </>
            ) : (
              <RangePanels {...{ range, today, metric, split, isWithoutPrices }} projectKey={search.project}>
                {budgets}
              </RangePanels>
            )}
          </div>
        </ExplainLayer>
      </ChartTablesContext>
      <p className="usage-foot">
        <span>
          {isWithoutPrices ? 'Prices are switched off, as you are on a plan.' : 'List prices in USD.'}
        </span>
        <span>Cached tokens are part of input and are counted once.</span>
        {!isWithoutPrices && <span>Calls of unknown price are left out of the cost.</span>}
      </p>
    </main>
  )
}

type RangePanelsProps = {
  range: UsageRange
  today: string
  metric: UsageMetric
  split: UsageSplit
  projectKey: string | undefined
  isWithoutPrices: boolean
  /** The budgets, which no range changes. */
  children: ReactNode
}

function RangePanels({
  range,
  today,
  metric,
  split,
  projectKey,
  isWithoutPrices,
  children,
}: RangePanelsProps) {
  const scope = { from: range.from, projectKey }
  const ranked = { ...scope, metric, hasPrices: !isWithoutPrices }
  return (
    <>
      <UsageTiles range={range} projectKey={projectKey} hasPrices={!isWithoutPrices} />
      {!isWithoutPrices && <UsageWhyView scope={{ from: range.from, project: projectKey }} />}
      <DayPanel
        range={range}
        metric={metric}
        split={split}
        {...(projectKey !== undefined && { projectKey })}
      />
      <YearPanel today={today} metric={metric} projectKey={projectKey} />
      <div className="usage-tables in-order">
        <HourPanel from={range.from} metric={metric} projectKey={projectKey} />
        <CachePanel range={range} projectKey={projectKey} />
      </div>
      <div className="usage-tables in-order">
        <div className="usage-panels in-order">
          <ModelRanking {...ranked} />
          <ToolRanking {...scope} />
          {children}
        </div>
        <div className="usage-panels in-order">
          {projectKey === undefined && <ProjectRanking {...ranked} />}
          <SessionRanking {...ranked} />
        </div>
      </div>
    </>
  )
}

const EMPTY = {
  '7d': 'Nothing in the last 7 days.',
  '30d': 'Nothing in the last 30 days.',
  '90d': 'Nothing in the last 90 days.',
  '365d': 'Nothing in the last year.',
  all: 'No requests recorded.',
} as const satisfies Record<UsageRangeName, string>

function EmptyRange({ range, onShowAll }: { range: UsageRangeName; onShowAll: () => void }) {
  return (
    <Notice>
      {EMPTY[range]} {range !== 'all' && <Button onClick={onShowAll}>Show all time</Button>}
    </Notice>
  )
}
