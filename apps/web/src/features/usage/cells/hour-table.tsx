import { describeHour, HOURS, hourKey } from '../../../lib/figures/hours.ts'
import { WEEKDAYS } from '../../../lib/figures/weekdays.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { SessionsLink } from '../frame/sessions-link.tsx'

interface Props {
  label: string
  values: ReadonlyMap<string, number>
  write: (value: number) => string
  from: string | undefined
  projectKey: string | undefined
}

/** The hours that hold anything, from Monday on. */
export function HourTable({ label, values, write, from, projectKey }: Props) {
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
