import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isUnanswered } from '../../../api/request/is-unanswered.ts'
import { usageQuery } from '../../../api/usage.ts'
import { weekdayOf } from '../../../lib/figures/calendar-day.ts'
import { daysBetween } from '../../../lib/figures/day-range.ts'
import { dayOf, formatDate, formatMonth, startOfDay } from '../../../lib/figures/format.ts'
import { WEEKDAYS } from '../../../lib/figures/hours.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { ColumnTable } from '../columns/column-table.tsx'
import { ChartPanel } from '../frame/chart-panel.tsx'
import { FailedPanel } from '../frame/failed-panel.tsx'
import { endOfPeriod } from '../frame/periods.ts'
import { SessionsLink } from '../frame/sessions-link.tsx'
import { type UsageMetric, usageMetrics } from '../frame/usage-metric.ts'
import { useCellWalk } from '../frame/use-cell-walk.ts'
import { levelOf } from './cell-levels.ts'
import { CellMark, CellScale } from './cell-scale.tsx'

const WEEKS = 53

type Props = { today: string; metric: UsageMetric; projectKey: string | undefined }

/** Each day of 53 weeks, whatever range is chosen above. */
export function YearPanel({ today, metric, projectKey }: Props) {
  const weeks = useMemo(() => yearWeeks(startOfDay(today)), [today])
  const query = { by: 'day', from: weeks[0]?.[0] ?? today, project: projectKey } as const
  // the days of all time, which the server has at hand: to add up a year of them anew takes it several times as long
  const usage = useQuery(usageQuery({ by: 'day', project: projectKey }))
  const rows = usage.data?.rows
  const { label, read, write } = usageMetrics[metric]
  if (isUnanswered(usage)) return <FailedPanel title={`${label} per day, 53 weeks`} asked={[usage]} />
  if (!rows) return <section className="panel min-h-[16.875rem]" aria-busy="true" />
  const values = new Map(rows.map((row) => [row.key, read(row)]))
  const days = weeks.flat()
  const highest = Math.max(0, ...days.map((day) => values.get(day) ?? 0))
  const columns = days.flatMap((start) =>
    values.get(start) ? [{ start, values: [], total: values.get(start) ?? 0 }] : [],
  )
  return (
    <ChartPanel
      chart="year"
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

type YearGridProps = {
  weeks: string[][]
  label: string
  read: (day: string) => number
  highest: number
  write: (value: number) => string
  projectKey: string | undefined
}

/** Weeks from left to right, Monday on top; each day leads to its sessions. */
function YearGrid({ weeks, label, read, highest, write, projectKey }: YearGridProps) {
  const lastWeek = weeks.length - 1
  const { shown, handlers, cell } = useCellWalk(`${lastWeek},${(weeks[lastWeek]?.length ?? 1) - 1}`)
  return (
    <>
      <ScrollRegion label={label} className="from-end">
        <table className="cell-grid" aria-label={`${label}. Arrow keys walk the days.`} {...handlers}>
          <thead>
            <tr>
              <td />
              {weeks.map((week, position) => (
                <th key={week[0]} scope="col">
                  {monthBegunIn(week, weeks[position - 1]) || (
                    <span className="visually-hidden">
                      Week of {formatDate(startOfDay(week[0] ?? '').toISOString())}
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((weekday, row) => (
              <tr key={weekday}>
                <th scope="row">{weekday}</th>
                {weeks.map((week, column) => {
                  const day = week[row]
                  if (day === undefined) return <td key={week[0]} />
                  const value = read(day)
                  return (
                    <td key={day}>
                      <SessionsLink
                        className="cell"
                        days={{ from: day, to: endOfPeriod('day', day) }}
                        projectKey={projectKey}
                        aria-label={`${weekday}, ${formatDate(startOfDay(day).toISOString())}: ${value > 0 ? write(value) : 'nothing'}`}
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
      <p className="chart-readout">{shown ?? 'Point at a day, or walk the days by arrow keys.'}</p>
    </>
  )
}

/** A month is named above the first whole week of it. */
function monthBegunIn([monday]: string[], [mondayBefore]: string[] = []): string {
  if (!monday || !mondayBefore || monday.slice(0, 7) === mondayBefore.slice(0, 7)) return ''
  return formatMonth(monday, false)
}

/** The days of 53 weeks from Monday, oldest first; the last week ends today. */
export function yearWeeks(today: Date): string[][] {
  const last = dayOf(today)
  const count = (WEEKS - 1) * 7 + weekdayOf(last) + 1
  const days = daysBetween('0001-01-01', last, count)
  return Array.from({ length: WEEKS }, (_, week) => days.slice(week * 7, week * 7 + 7))
}
