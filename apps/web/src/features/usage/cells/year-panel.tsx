import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usageQuery } from '../../../api/usage.ts'
import { startOfDay } from '../../../lib/figures/format.ts'
import { ColumnTable } from '../columns/column-table.tsx'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import { CellScale } from './cell-scale.tsx'
import { YearGrid } from './year-grid.tsx'
import { yearWeeks } from './year-weeks.ts'

type Props = { today: string; metric: UsageMetric; projectKey: string | undefined }

/** Each day of 53 weeks, whatever range is chosen above. */
export function YearPanel({ today, metric, projectKey }: Props) {
  const weeks = useMemo(() => yearWeeks(startOfDay(today)), [today])
  const query = { by: 'day', from: weeks[0]?.[0] ?? today, project: projectKey } as const
  // the days of all time, which the server has at hand: to add up a year of them anew takes it several times as long
  const rows = useQuery(usageQuery({ by: 'day', project: projectKey })).data?.rows
  const { label, read, write } = usageMetrics[metric]
  if (!rows) return <section className="panel min-h-[16.875rem]" aria-busy="true" />
  const values = new Map(rows.map((row) => [row.key, read(row)]))
  const days = weeks.flat()
  const highest = Math.max(0, ...days.map((day) => values.get(day) ?? 0))
  const columns = days.flatMap((start) =>
    values.get(start) ? [{ start, values: [], total: values.get(start) ?? 0 }] : [],
  )
  return (
    <ChartPanel
      title={`${label} per day, 53 weeks`}
      legend={highest > 0 && <CellScale highest={highest} metric={metric} />}
      query={query}
      isEmpty={highest === 0}
      table={
        <ColumnTable
          data={{ unit: 'day', series: [], columns }}
          label={label}
          write={write}
          projectKey={projectKey}
        />
      }
    >
      <YearGrid
        key={today}
        weeks={weeks}
        label={`${label} per day`}
        read={(day) => values.get(day) ?? 0}
        highest={highest}
        write={write}
        projectKey={projectKey}
      />
    </ChartPanel>
  )
}
