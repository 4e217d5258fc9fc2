import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../../api/usage.ts'
import { timeZone } from '../../../lib/figures/time-zone.ts'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import { CellScale } from './cell-scale.tsx'
import { HourGrid } from './hour-grid.tsx'
import { HourTable } from './hour-table.tsx'

type Props = { from: string | undefined; metric: UsageMetric; projectKey: string | undefined }

/** At which hours of the week the range was used. */
export function HourPanel({ from, metric, projectKey }: Props) {
  const query = { by: 'hour-of-week', from, project: projectKey } as const
  const rows = useQuery(usageQuery(query)).data?.rows
  const { label, read, write } = usageMetrics[metric]
  if (!rows) return <section className="panel min-h-[20rem]" aria-busy="true" />
  const values = new Map(rows.map((row) => [row.key, read(row)]))
  const highest = Math.max(0, ...values.values())
  const parts = { label: `${label} per hour of the week`, values, write, from, projectKey }
  return (
    <ChartPanel
      title={parts.label}
      note={timeZone()}
      legend={highest > 0 && <CellScale highest={highest} metric={metric} />}
      query={query}
      isEmpty={highest === 0}
      table={<HourTable {...parts} />}
    >
      <HourGrid {...parts} highest={highest} />
    </ChartPanel>
  )
}
