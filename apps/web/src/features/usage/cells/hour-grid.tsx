import { describeHour, HOURS, hourKey } from '../../../lib/figures/hours.ts'
import { WEEKDAYS } from '../../../lib/figures/weekdays.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { SessionsLink } from '../frame/sessions-link.tsx'
import { useCellWalk } from '../frame/use-cell-walk.ts'
import { levelOf } from './cell-levels.ts'
import { CellMark } from './cell-mark.tsx'

type Props = {
  label: string
  values: ReadonlyMap<string, number>
  highest: number
  write: (value: number) => string
  from: string | undefined
  projectKey: string | undefined
}

/** Hours from left to right, Monday on top. */
export function HourGrid({ label, values, highest, write, from, projectKey }: Props) {
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
                  {position % 3 === 0 ? hour : <span className="visually-hidden">{hour}</span>}
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
