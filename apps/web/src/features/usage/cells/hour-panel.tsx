import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../../api/usage.ts'
import { describeHour, HOURS, hourKey } from '../../../lib/figures/hours.ts'
import { timeZone } from '../../../lib/figures/time-zone.ts'
import { WEEKDAYS } from '../../../lib/figures/weekdays.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { SessionsLink } from '../frame/sessions-link.tsx'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import { CellScale } from './cell-scale.tsx'
import { HourGrid } from './hour-grid.tsx'

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

interface HourTableProps {
  label: string
  values: ReadonlyMap<string, number>
  write: (value: number) => string
  from: string | undefined
  projectKey: string | undefined
}

/** The hours that hold anything, from Monday on. */
function HourTable({ label, values, write, from, projectKey }: HourTableProps) {
  const hours = WEEKDAYS.flatMap((_, weekday) =>
    HOURS.map((hour) => ({ weekday, hour, value: values.get(hourKey(weekday, hour)) ?? 0 })),
  )
  return (
    <ScrollRegion label={`${label} as a table`}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col" className="num">
              {label}
            </th>
          </tr>
        </thead>
        <tbody>
          {hours
            .filter(({ value }) => value > 0)
            .map(({ weekday, hour, value }) => (
              <tr key={hourKey(weekday, hour)}>
                <th scope="row">
                  <SessionsLink days={{ from }} hour={hourKey(weekday, hour)} projectKey={projectKey}>
                    {describeHour(weekday, hour)}
                  </SessionsLink>
                </th>
                <td className="num main">{write(value)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
