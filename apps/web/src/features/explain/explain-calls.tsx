import type { CostReport } from '@gemini-dash/api'
import { formatExactUsd } from '@gemini-dash/api/figures'
import { Link } from '@tanstack/react-router'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import { SupersededWord } from '../../content/text/superseded-word.tsx'
import { formatClock, formatCount } from '../../lib/figures/format.ts'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { fileName, recordPlace } from './explain-words.ts'

type Call = CostReport['calls'][number]

interface Props {
  calls: readonly Call[]
  total: number
  sessionRef: string
  rawHref: (messageKey: string) => string
  hasPrices: boolean
  /** undefined: the messages stand on another page. */
  onJump: ((messageKey: string, offset: number) => void) | undefined
}

/** The calls of a sum, those that cost or took most first, each with its record. */
export function ExplainCalls({ calls, total, sessionRef, rawHref, hasPrices, onJump }: Props) {
  if (calls.length === 0) return null
  const files = [...new Set(calls.map(({ source }) => source.file))]
  return (
    <section className="explain-rate">
      <h3>{calls.length < total ? `The largest ${calls.length} of ${formatCount(total)} calls` : 'Calls'}</h3>
      {files.length === 1 && (
        <p className="dim" title={files[0]}>
          Recorded in {fileName(files[0] ?? '')}
        </p>
      )}
      <ScrollRegion label="Calls, largest first">
        <table className="explain-parts">
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col" className="num">
                Tokens
              </th>
              {hasPrices && (
                <th scope="col" className="num">
                  Cost
                </th>
              )}
              <th scope="col">Record</th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <tr key={call.messageKey}>
                <th scope="row">
                  <CallLink call={call} sessionRef={sessionRef} onJump={onJump} />
                  {call.superseded !== null && (
                    <small>
                      <SupersededWord cause={call.superseded} />
                    </small>
                  )}
                </th>
                <td className="num">
                  <ExplainButton
                    of={{ kind: 'call', messageKey: call.messageKey, sessionRef, figure: 'total' }}
                    name=""
                  >
                    {call.usage === null ? 'none' : formatCount(call.usage.total)}
                  </ExplainButton>
                </td>
                {hasPrices && (
                  <td className="num">
                    <ExplainButton
                      of={{ kind: 'call', messageKey: call.messageKey, sessionRef, figure: 'cost' }}
                      name=""
                    >
                      {call.usd === null ? 'unknown' : formatExactUsd(call.usd)}
                    </ExplainButton>
                  </td>
                )}
                <td>
                  <a
                    className="link"
                    href={rawHref(call.messageKey)}
                    target="_blank"
                    rel="noreferrer"
                    title={call.source.file}
                  >
                    {recordPlace(call.source)}
                  </a>
                  {files.length > 1 && <small>{fileName(call.source.file)}</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}

function CallLink({ call, sessionRef, onJump }: { call: Call } & Pick<Props, 'sessionRef' | 'onJump'>) {
  const { messageKey, offset, timestamp } = call
  return (
    <Link
      className="link"
      to="/s/$key"
      params={{ key: sessionRef }}
      hash={`m-${messageKey}`}
      onClick={(event) => {
        if (onJump === undefined) return
        event.preventDefault()
        onJump(messageKey, offset)
      }}
    >
      {timestamp === null ? 'no time' : formatClock(timestamp, 'seconds')}
    </Link>
  )
}
