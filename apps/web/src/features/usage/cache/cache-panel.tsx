import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usageQuery } from '../../../api/usage.ts'
import { formatPercent, formatTokens } from '../../../lib/figures/format.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { describePeriod } from '../frame/describe-period.ts'
import { endOfPeriod } from '../frame/periods.ts'
import { SessionsLink } from '../frame/sessions-link.tsx'
import type { UsageRange } from '../frame/usage-range.ts'
import { CacheChart } from './cache-chart.tsx'
import { type CacheRates, toCacheRates } from './cache-rates.ts'

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

type CacheTableProps = { data: CacheRates; projectKey: string | undefined }

/** The periods in which anything was sent, the newest first. */
function CacheTable({ data: { unit, points }, projectKey }: CacheTableProps) {
  return (
    <ScrollRegion label="Cache hit rate as a table">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{unit === 'day' ? 'Day' : unit === 'week' ? 'Week' : 'Month'}</th>
            <th scope="col" className="num">
              Input
            </th>
            <th scope="col" className="num">
              Cached
            </th>
            <th scope="col" className="num">
              Hit rate
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(
            ({ start, input, cached, rate }) =>
              rate !== null && (
                <tr key={start}>
                  <th scope="row">
                    <SessionsLink
                      days={{ from: start, to: endOfPeriod(unit, start) }}
                      projectKey={projectKey}
                    >
                      {describePeriod(start, unit)}
                    </SessionsLink>
                  </th>
                  <td className="num">{formatTokens(input)}</td>
                  <td className="num">{formatTokens(cached)}</td>
                  <td className="num main">{formatPercent(rate)}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
