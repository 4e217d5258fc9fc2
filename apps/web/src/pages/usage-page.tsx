import '../ui/frames/rail-frame.css'
import './usage-page.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { healthQuery } from '../api/health.ts'
import { projectsQuery } from '../api/projects.ts'
import { usageQuery } from '../api/usage.ts'
import { BudgetNotices } from '../features/budgets/budget-notices.tsx'
import { BudgetPanel } from '../features/budgets/budget-panel.tsx'
import { ExplainLayer } from '../features/explain/explain-layer.tsx'
import { FirstRun, useEmptyHomes } from '../features/first-run/first-run.tsx'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { CachePanel } from '../features/usage/cache/cache-panel.tsx'
import { HourPanel } from '../features/usage/cells/hour-panel.tsx'
import { YearPanel } from '../features/usage/cells/year-panel.tsx'
import { DayPanel } from '../features/usage/columns/day-panel.tsx'
import { ChartTablesContext } from '../features/usage/frame/chart-tables.ts'
import type { UsageMetric } from '../features/usage/frame/usage-metric.ts'
import { usageRange } from '../features/usage/frame/usage-range.ts'
import { UsageSwitches } from '../features/usage/frame/usage-switches.tsx'
import { useUsageActions } from '../features/usage/frame/use-usage-actions.ts'
import { ModelRanking, ProjectRanking, SessionRanking } from '../features/usage/ranking/rankings.tsx'
import { ToolRanking } from '../features/usage/ranking/tool-ranking.tsx'
import { UsageTiles } from '../features/usage/summary/usage-tiles.tsx'
import { UsageWhyView } from '../features/usage/summary/usage-why.tsx'
import { withValue } from '../lib/address/find-search.ts'
import type { UsageChart, UsageSearch } from '../lib/address/page-searches.ts'
import { classNames } from '../lib/browser/class-names.ts'
import { dayOf, formatDate, startOfDay } from '../lib/figures/format.ts'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { useNow } from '../lib/hooks/use-now.ts'
import { ZoneButton } from '../ui/buttons/zone-button.tsx'

const route = getRouteApi('/usage')

const DAY_COUNTS = { '': 30, '7d': 7, '90d': 90, '365d': 365, all: 'all' } as const

/** What was used over a range of days: totals, per day by model, and who used most. */
export function UsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = dayOf(useNow())
  const range = useMemo(
    () => usageRange(DAY_COUNTS[search.range ?? ''], startOfDay(today)),
    [search.range, today],
  )
  const emptyHomes = useEmptyHomes()
  const isWithoutPrices = useQuery(healthQuery()).data?.prices.plan === 'nothing'
  const metric: UsageMetric = search.metric ?? (isWithoutPrices ? 'tokens' : 'cost')
  const projects = useQuery(projectsQuery()).data?.projects
  const project = projects?.find(({ key, name }) => key === search.project || name === search.project)
  const split = search.project === undefined && search.split ? search.split : 'model'
  const report = useQuery(usageQuery({ by: 'day', from: range.from, project: search.project, split }))
  useDocumentTitle('Usage', project?.name)
  const firstDay = range.from ?? report.data?.rows.map((row) => row.key).toSorted()[0]
  const scope = { from: range.from, projectKey: search.project }
  const ranked = { ...scope, metric, hasPrices: !isWithoutPrices }
  const onSearch = (change: Partial<UsageSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
  const onTable = (chart: UsageChart, isTable: boolean) =>
    void navigate({
      search: (before) => ({ ...before, tables: withValue(before.tables, chart, isTable) }),
      resetScroll: false,
    })
  useUsageActions({ search, from: range.from, hasPrices: !isWithoutPrices, onSearch })
  if (emptyHomes !== null) return <FirstRun homes={emptyHomes} />
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
        <UsageSwitches search={search} hasPrices={!isWithoutPrices} onSearch={onSearch} />
      </div>
      <IndexProgress />
      <BudgetNotices />
      <ChartTablesContext value={{ tables: search.tables, onTable }}>
        <ExplainLayer>
          <div className={classNames('usage-panels in-order', report.isPlaceholderData && 'stale')}>
            <UsageTiles range={range} projectKey={search.project} hasPrices={!isWithoutPrices} />
            {!isWithoutPrices && <UsageWhyView scope={{ from: range.from, project: search.project }} />}
            <DayPanel range={range} metric={metric} split={split} projectKey={search.project} />
            <YearPanel today={today} metric={metric} projectKey={search.project} />
            <div className="usage-tables in-order">
              <HourPanel from={range.from} metric={metric} projectKey={search.project} />
              <CachePanel range={range} projectKey={search.project} />
            </div>
            <div className="usage-tables in-order">
              <div className="usage-panels in-order">
                <ModelRanking {...ranked} />
                <ToolRanking {...scope} />
                <BudgetPanel
                  projects={projects ?? []}
                  projectKey={project?.key}
                  isWithoutPrices={isWithoutPrices}
                />
              </div>
              <div className="usage-panels in-order">
                {search.project === undefined && <ProjectRanking {...ranked} />}
                <SessionRanking {...ranked} />
              </div>
            </div>
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
