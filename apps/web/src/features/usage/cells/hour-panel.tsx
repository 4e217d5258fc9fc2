import { useQuery } from '@tanstack/react-query'
import { isUnanswered } from '../../../api/request/is-unanswered.ts'
import { usageQuery } from '../../../api/usage.ts'
import { clockChoice } from '../../../lib/figures/format.ts'
import { describeHour, formatHour, HOURS, hourKey, WEEKDAYS } from '../../../lib/figures/hours.ts'
import { timeZone } from '../../../lib/figures/time-zone.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { FailedPanel } from '../frame/failed-panel.tsx'
import { SessionsLink } from '../frame/sessions-link.tsx'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import { useCellWalk } from '../frame/use-cell-walk.ts'
import { levelOf } from './cell-levels.ts'
import { CellMark, CellScale } from './cell-scale.tsx'

type Props = { from: string | undefined; metric: UsageMetric; projectKey: string | undefined }

/** At which hours of the week the range was used. */
export function HourPanel({ from, metric, projectKey }: Props) {
  const query = { by: 'hour-of-week', from, project: projectKey } as const
  const usage = useQuery(usageQuery(query))
  const rows = usage.data?.rows
  const { label, read, write } = usageMetrics[metric]
  if (isUnanswered(usage)) return <FailedPanel title={`${label} per hour of the week`} asked={[usage]} />
  if (!rows) return <section className="panel min-h-[20rem]" aria-busy="true" />
  const values = new Map(rows.map((row) => [row.key, read(row)]))
  const highest = Math.max(0, ...values.values())
  const parts = { label: `${label} per hour of the week`, values, write, from, projectKey }
  return (
    <ChartPanel
      chart="hours"
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

/** Above a column. */
function shortHour(hour: string): string {
  return clockChoice.get() === '24' ? hour : formatHour(hour)
}

type HourGridProps = {
  label: string
  values: ReadonlyMap<string, number>
  highest: number
  write: (value: number) => string
  from: string | undefined
  projectKey: string | undefined
}

/** Hours from left to right, Monday on top. */
function HourGrid({ label, values, highest, write, from, projectKey }: HourGridProps) {
  const { shown, handlers, cell } = useCellWalk('9,0')
  return (
    <>
      <ScrollRegion label={label}>
        <table
          className="cell-grid hour-grid"
          aria-label={`${label}. Arrow keys walk the hours.`}
          {...handlers}
        >
          <thead>
            <tr>
              <td />
              {HOURS.map((hour, position) => (
                <th key={hour} scope="col">
                  {position % 3 === 0 ? (
                    shortHour(hour)
                  ) : (
                    <span className="visually-hidden">{shortHour(hour)}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((weekday, row) => (
              <tr key={weekday}>
                <th scope="row">{weekday}</th>
                {HOURS.map((hour, column) => {
                  const value = values.get(hourKey(row, hour)) ?? 0
                  return (
                    <td key={hour}>
                      <SessionsLink
                        className="cell"
                        days={{ from }}
                        hour={hourKey(row, hour)}
                        projectKey={projectKey}
                        aria-label={`${describeHour(row, hour)}: ${value > 0 ? write(value) : 'nothing'}`}
                        {...cell(column, row)}
                      >
                        <CellMark level={levelOf(value, highest)} />
                      </SessionsLink>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="chart-readout">{shown ?? 'Point at an hour, or walk the hours by arrow keys.'}</p>
    </>
  )
}
