import { formatDate, formatMonth, startOfDay } from '../../../lib/figures/format.ts'
import { WEEKDAYS } from '../../../lib/figures/weekdays.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { endOfPeriod } from '../frame/periods.ts'
import { SessionsLink } from '../frame/sessions-link.tsx'
import { useCellWalk } from '../frame/use-cell-walk.ts'
import { levelOf } from './cell-levels.ts'
import { CellMark } from './cell-mark.tsx'

type Props = {
  weeks: string[][]
  label: string
  read: (day: string) => number
  highest: number
  write: (value: number) => string
  projectKey: string | undefined
}

/** Weeks from left to right, Monday on top; each day leads to its sessions. */
export function YearGrid({ weeks, label, read, highest, write, projectKey }: Props) {
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
                  {monthBegunIn(week, weeks[position - 1])}
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
