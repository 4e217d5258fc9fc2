import { formatPercent, formatTokens } from '../../lib/format.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import type { CacheRates } from './cache-rates.ts'
import { describePeriod } from './describe-period.ts'
import { endOfPeriod } from './periods.ts'
import { SessionsLink } from './sessions-link.tsx'

type Props = { data: CacheRates; projectKey: string | undefined }

/** The periods in which anything was sent, the newest first. */
export function CacheTable({ data: { unit, points }, projectKey }: Props) {
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
