import type { CostReport } from '@gemini-dash/api'
import { formatClock, formatCount } from '../../lib/format.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { exactUsd } from './exact-usd.ts'

interface Props {
  calls: CostReport['calls']
  total: number
  rawHref: (messageKey: string) => string
  onJump: (messageKey: string, offset: number) => void
}

/** The calls of a sum, costliest first, each with its record. */
export function ExplainCalls({ calls, total, rawHref, onJump }: Props) {
  if (calls.length === 0) return null
  return (
    <section className="explain-rate">
      <h3>
        {calls.length < total ? `The costliest ${calls.length} of ${formatCount(total)} calls` : 'Calls'}
      </h3>
      <ScrollRegion label="Calls, costliest first" className="explain-calls">
        <table>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col" className="num">
                Tokens
              </th>
              <th scope="col" className="num">
                Cost
              </th>
              <th scope="col">Record</th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <tr key={call.messageKey}>
                <th scope="row">
                  <a
                    className="link"
                    href={`#m-${call.messageKey}`}
                    onClick={(event) => {
                      event.preventDefault()
                      onJump(call.messageKey, call.offset)
                    }}
                  >
                    {call.timestamp === null ? 'no time' : formatClock(call.timestamp, 'seconds')}
                  </a>
                </th>
                <td className="num">
                  {call.terms.length === 0
                    ? '-'
                    : formatCount(call.terms.reduce((sum, { tokens }) => sum + tokens, 0))}
                </td>
                <td className="num">{call.usd === null ? '-' : exactUsd(call.usd)}</td>
                <td>
                  <a
                    className="link"
                    href={rawHref(call.messageKey)}
                    target="_blank"
                    rel="noreferrer"
                    title={call.source.file}
                  >
                    {recordName(call.source)}
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}

function recordName({ file, line, index }: CostReport['calls'][number]['source']): string {
  const name = file.split('/').at(-1) ?? file
  if (line !== undefined) return `${name}, line ${line}`
  return index === undefined ? name : `${name}, message ${index + 1}`
}
