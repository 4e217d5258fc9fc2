import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usageQuery } from '../../../api/usage.ts'
import { ChartPanel } from '../frame/chart-panel.tsx'
import type { UsageRange } from '../frame/usage-range.ts'
import { CacheChart } from './cache-chart.tsx'
import { toCacheRates } from './cache-rates.ts'
import { CacheTable } from './cache-table.tsx'

type Props = { range: UsageRange; projectKey: string | undefined }

/** How much of the input came out of the cache, over time. */
export function CachePanel({ range, projectKey }: Props) {
  const query = { by: 'day', from: range.from, project: projectKey, split: 'model' } as const
  const rows = useQuery(usageQuery(query)).data?.rows
  const data = useMemo(() => rows && toCacheRates(rows, range.days(rows)), [rows, range])
  if (!data) return <section className="panel min-h-[14.875rem]" aria-busy="true" />
  return (
    <ChartPanel
      title={`Cache hit rate per ${data.unit}`}
      note="cached of all input tokens"
      query={{ ...query, split: undefined }}
      isEmpty={data.points.every(({ rate }) => rate === null)}
      table={<CacheTable data={data} projectKey={projectKey} />}
    >
      <CacheChart
        key={`${data.points[0]?.start} ${data.points.length}`}
        data={data}
        projectKey={projectKey}
      />
    </ChartPanel>
  )
}
