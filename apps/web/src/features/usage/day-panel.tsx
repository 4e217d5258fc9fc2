import '../../ui/panel.css'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Table } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { usageQuery } from '../../api/usage.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ColumnChart } from './column-chart.tsx'
import { ColumnTable } from './column-table.tsx'
import { toColumns } from './columns.ts'
import { type UsageMetric, usageMetrics } from './usage-metric.ts'
import type { UsageRange } from './usage-range.ts'

type Props = { range: UsageRange; metric: UsageMetric; projectKey?: string; moreLink?: ReactNode }

/** A metric over time by model, as a chart and as a table. */
export function DayPanel({ range, metric, projectKey, moreLink }: Props) {
  const [isTable, setIsTable] = useState(false)
  const usage = useQuery(usageQuery({ by: 'day', from: range.from, project: projectKey }))
  const rows = usage.data?.rows
  const data = useMemo(() => rows && toColumns(rows, range.days(rows), metric), [rows, range, metric])
  if (usage.isError && !usage.data)
    return (
      <Failed what="The usage could not be loaded." error={usage.error} onRetry={() => usage.refetch()} />
    )
  if (!data) return <section className="panel min-h-[16rem]" aria-busy="true" />
  const { label, write } = usageMetrics[metric]
  const isByModel = metric !== 'sessions'
  const hasData = data.columns.some((column) => column.total > 0)
  return (
    <section className="panel">
      <header className="panel-head">
        <h2>
          {label} per {data.unit}
          {isByModel && ', by model'}
        </h2>
        {isByModel && (
          <ul className="legend">
            {data.series.map((name, position) => (
              <li key={name}>
                <span className={`legend-key series-${position}`} />
                {name}
              </li>
            ))}
          </ul>
        )}
        {hasData && (
          <div className="push">
            {moreLink}
            <Button look="quiet" size="tiny" onClick={() => setIsTable(!isTable)}>
              <Icon of={isTable ? ChartColumn : Table} small />
              {isTable ? 'View as chart' : 'View as table'}
            </Button>
          </div>
        )}
      </header>
      {!hasData && <p className="panel-body dim">Nothing recorded in this time.</p>}
      {hasData && isTable && <ColumnTable data={data} label={label} write={write} />}
      {hasData && !isTable && (
        <div className="panel-body">
          <ColumnChart data={data} metric={metric} />
        </div>
      )}
    </section>
  )
}
