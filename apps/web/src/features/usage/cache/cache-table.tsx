import { formatPercent, formatTokens } from '../../../lib/figures/format.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { describePeriod } from '../frame/describe-period.ts'
import { endOfPeriod } from '../frame/periods.ts'
import { SessionsLink } from '../frame/sessions-link.tsx'
import type { CacheRates } from './cache-rates.ts'

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
