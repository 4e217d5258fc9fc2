import '../ui/rail-frame.css'
import './usage-page.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectsQuery } from '../api/projects.ts'
import { usageQuery } from '../api/usage.ts'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { CachePanel } from '../features/usage/cache-panel.tsx'
import { DayPanel } from '../features/usage/day-panel.tsx'
import { HourPanel } from '../features/usage/hour-panel.tsx'
import { ModelRanking, ProjectRanking, SessionRanking, ToolRanking } from '../features/usage/rankings.tsx'
import { usageRange } from '../features/usage/usage-range.ts'
import { UsageTiles } from '../features/usage/usage-tiles.tsx'
import { YearPanel } from '../features/usage/year-panel.tsx'
import { dayOf, formatDate, startOfDay } from '../lib/format.ts'
import { USAGE_METRICS, USAGE_RANGES } from '../lib/usage-search.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { useNow } from '../lib/use-now.ts'
import { Segmented } from '../ui/segmented.tsx'

const route = getRouteApi('/usage')

const DAY_COUNTS = { '': 30, '7d': 7, '90d': 90, '365d': 365, all: 'all' } as const
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

/** What was used over a range of days: totals, per day by model, and who used most. */
export function UsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = dayOf(useNow())
  const range = useMemo(
    () => usageRange(DAY_COUNTS[search.range ?? ''], startOfDay(today)),
    [search.range, today],
  )
  const metric = search.metric ?? 'cost'
  const projects = useQuery(projectsQuery()).data?.projects
  const project = projects?.find(({ key, name }) => key === search.project || name === search.project)
  const split = search.project === undefined && search.split ? search.split : 'model'
  const report = useQuery(usageQuery({ by: 'day', from: range.from, project: search.project, split }))
  useDocumentTitle('Usage', project?.name)
  const firstDay = range.from ?? report.data?.rows.map((row) => row.key).toSorted()[0]
  const scope = { from: range.from, projectKey: search.project }
  return (
    <main className="page-main usage-page" id="main" tabIndex={-1}>
      <div className="usage-head">
        <h1 className="page-title">Usage</h1>
        <p className="text-ink-2">
          {firstDay &&
            `${formatDate(startOfDay(firstDay).toISOString())} to ${formatDate(startOfDay(today).toISOString())}, `}
          {search.project === undefined ? 'all projects' : (project?.name ?? search.project)}
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
        <div className="usage-switches">
          {search.project === undefined && (
            <Segmented
              label="Columns"
              value={search.split ?? ''}
              options={SPLITS}
              onChange={(value) =>
                void navigate({ search: (before) => ({ ...before, split: value || undefined }) })
              }
            />
          )}
          <Segmented
            label="Range"
            value={search.range ?? ''}
            options={RANGES}
            onChange={(value) =>
              void navigate({
                search: (before) => ({ ...before, range: USAGE_RANGES.find((it) => it === value) }),
              })
            }
          />
          <Segmented
            label="Metric"
            value={search.metric ?? ''}
            options={METRICS}
            onChange={(value) =>
              void navigate({
                search: (before) => ({ ...before, metric: USAGE_METRICS.find((it) => it === value) }),
              })
            }
          />
        </div>
      </div>
      <IndexProgress />
      <div className="usage-panels">
        <UsageTiles range={range} projectKey={search.project} />
        <DayPanel range={range} metric={metric} split={split} projectKey={search.project} />
        <YearPanel today={today} metric={metric} projectKey={search.project} />
        <div className="usage-tables">
          <HourPanel from={range.from} metric={metric} projectKey={search.project} />
          <CachePanel range={range} projectKey={search.project} />
        </div>
        <div className="usage-tables">
          <div className="usage-panels">
            <ModelRanking {...scope} metric={metric} />
            <ToolRanking {...scope} />
          </div>
          <div className="usage-panels">
            {search.project === undefined && <ProjectRanking {...scope} metric={metric} />}
            <SessionRanking {...scope} metric={metric} />
          </div>
        </div>
      </div>
      <p className="usage-foot">
        <span>List prices in USD.</span>
        <span>Cached tokens are part of input and are counted once.</span>
        <span>Calls of unknown price are left out of the cost.</span>
      </p>
    </main>
  )
}
