import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import { formatClock, formatCount, formatFineUsd, formatModel } from '../../../lib/figures/format.ts'
import { SUPERSEDED_WORD } from '../../../lib/session/superseded-word.ts'
import type { ChartCall } from '../geometry/chart-call.ts'

interface Props {
  call: ChartCall
  number: number
  /** What the calls up to this one cost; null where no prices are shown. */
  usdSoFar: number | null
  onJump: (messageKey: string, offset: number) => void
}

/** One call: the way to its message, its tokens, and what it cost. */
export function ChartTableRow({ call, number, usdSoFar, onJump }: Props) {
  const { messageKey, offset, usd, superseded } = call
  return (
    <tr className={superseded === null ? undefined : 'chart-superseded'}>
      <th scope="row">
        <a
          className="link"
          href={`#m-${messageKey}`}
          onClick={(event) => {
            event.preventDefault()
            onJump(messageKey, offset)
          }}
        >
          {number}
        </a>
        {call.failed && <span className="tone-error"> failed</span>}
        {superseded !== null && <span className="dim"> {SUPERSEDED_WORD[superseded]}</span>}
      </th>
      <td>{call.turn}</td>
      <td>{call.time === null ? '-' : formatClock(new Date(call.time).toISOString(), 'seconds')}</td>
      <td title={call.model ?? undefined}>{call.model === null ? '-' : formatModel(call.model)}</td>
      {figuresOf(call).map(({ name, tokens }) => (
        <td key={name} className="num">
          {tokens === null ? '-' : formatCount(tokens)}
        </td>
      ))}
      {usdSoFar !== null && (
        <>
          <td className="num">
            {call.isAtHigherRate && <span className="dim">higher rate </span>}
            <ExplainButton of={{ kind: 'call', messageKey, figure: 'cost' }}>
              {usd === null ? 'unknown' : formatFineUsd(usd)}
            </ExplainButton>
          </td>
          <td className="num">{formatFineUsd(usdSoFar)}</td>
        </>
      )}
    </tr>
  )
}

function figuresOf({ usage }: ChartCall): { name: string; tokens: number | null }[] {
  return [
    { name: 'fresh', tokens: usage && Math.max(usage.input - usage.cached, 0) },
    { name: 'cached', tokens: usage?.cached ?? null },
    { name: 'output', tokens: usage?.output ?? null },
    { name: 'thoughts', tokens: usage?.thoughts ?? null },
    { name: 'tool', tokens: usage?.tool ?? null },
  ]
}
