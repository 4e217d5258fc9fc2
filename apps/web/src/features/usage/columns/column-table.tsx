import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { describePeriod, endOfPeriod } from '../frame/periods.ts'
import { SessionsLink } from '../frame/sessions-link.tsx'
import type { Columns } from './columns.ts'

type Props = { data: Columns; label: string; write: (value: number) => string; projectKey?: string }

/** The same numbers as the chart, the newest first. */
export function ColumnTable({ data, label, write, projectKey }: Props) {
  return (
    <ScrollRegion label={`${label} as a table`}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{data.unit === 'day' ? 'Day' : data.unit === 'week' ? 'Week' : 'Month'}</th>
            {data.series.length > 1 &&
              data.series.map(({ key, name }) => (
                <th key={key ?? name} scope="col" className="num">
                  {name}
                </th>
              ))}
            <th scope="col" className="num">
              {label}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.columns.toReversed().map((column) => (
            <tr key={column.start}>
              <th scope="row">
                <SessionsLink
                  days={{ from: column.start, to: endOfPeriod(data.unit, column.start) }}
                  projectKey={projectKey}
                >
                  {describePeriod(column.start, data.unit)}
                </SessionsLink>
              </th>
              {data.series.length > 1 &&
                column.values.map((value, position) => (
                  <td key={data.series[position]?.key ?? ''} className="num">
                    {value > 0 ? write(value) : '-'}
                  </td>
                ))}
              <td className="num main">{column.total > 0 ? write(column.total) : '-'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
