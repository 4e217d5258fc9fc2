import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { isUnanswered } from '../../../api/request/is-unanswered.ts'
import { usageQuery } from '../../../api/usage.ts'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { FailedPanel } from '../frame/failed-panel.tsx'
import { SessionsLink } from '../frame/sessions-link.tsx'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import type { UsageRange } from '../frame/usage-range.ts'
import { ColumnChart } from './column-chart.tsx'
import { ColumnTable } from './column-table.tsx'
import { type Columns, isSplit, toColumns, type UsageSplit } from './columns.ts'

type Props = {
  range: UsageRange
  metric: UsageMetric
  split?: UsageSplit
  projectKey?: string
  moreLink?: ReactNode
}

/** A metric over time by model or project, as a chart and as a table. */
export function DayPanel({ range, metric, split = 'model', projectKey, moreLink }: Props) {
  const query = { by: 'day', from: range.from, project: projectKey, split } as const
  const usage = useQuery(usageQuery(query))
  const rows = usage.data?.rows
  const data = useMemo(
    () => rows && toColumns(rows, range.days(rows), metric, split),
    [rows, range, metric, split],
  )
  const { label, write } = usageMetrics[metric]
  if (isUnanswered(usage)) return <FailedPanel title={`${label} per day`} asked={[usage]} />
  if (!data) return <section className="panel min-h-[18.125rem]" aria-busy="true" />
  const hasParts = isSplit(metric, split)
  return (
    <ChartPanel
      chart="days"
      title={`${label} per ${data.unit}${hasParts ? `, by ${split}` : ''}`}
      legend={
        hasParts && <Legend series={data.series} from={range.from} split={split} projectKey={projectKey} />
      }
      moreLink={moreLink}
      query={query}
      isEmpty={data.columns.every((column) => column.total === 0)}
      table={<ColumnTable data={data} label={label} write={write} projectKey={projectKey} />}
    >
      <ColumnChart
        key={`${data.columns[0]?.start} ${data.columns.length}`}
        data={data}
        metric={metric}
        projectKey={projectKey}
      />
    </ChartPanel>
  )
}

type LegendProps = {
  series: Columns['series']
  from: string | undefined
  split: UsageSplit
  projectKey: string | undefined
}

/** What a colour means, and the way to its sessions. */
function Legend({ series, from, split, projectKey }: LegendProps) {
  return (
    <ul className="legend">
      {series.map(({ key, name }, position) => (
        <li key={key ?? name}>
          <span className={`legend-key series-${position}`} />
          {key === null || key === 'unknown' ? (
            name
          ) : (
            <SessionsLink
              days={{ from }}
              {...(split === 'model' ? { model: key, projectKey } : { projectKey: key })}
            >
              {name}
            </SessionsLink>
          )}
        </li>
      ))}
    </ul>
  )
}
