import { useState } from 'react'
import { formatClock, formatCount, formatFineUsd, formatModel } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import type { ChartCall } from './chart-call.ts'

const PAGE = 500

interface Props {
  calls: readonly ChartCall[]
  onJump: (messageKey: string, offset: number) => void
}

/** The chart in figures. */
export default function ChartTable({ calls, onJump }: Props) {
  const [shown, setShown] = useState(PAGE)
  return (
    <ScrollRegion label="Tokens per call, table" className="chart-table sheet">
      <table>
        <thead>
          <tr>
            {[
              'Call',
              'Turn',
              'Time',
              'Model',
              'Fresh input',
              'Cached',
              'Output',
              'Thoughts',
              'Tool',
              'Cost',
            ].map((name, column) => (
              <th key={name} scope="col" className={column > 3 ? 'num' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.slice(0, shown).map((call, index) => (
            <Row key={call.messageKey} call={call} number={index + 1} onJump={onJump} />
          ))}
        </tbody>
      </table>
      {shown < calls.length && (
        <Button look="quiet" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(PAGE, calls.length - shown)} more calls
        </Button>
      )}
    </ScrollRegion>
  )
}

function Row({ call, number, onJump }: { call: ChartCall; number: number; onJump: Props['onJump'] }) {
  const { usage, usd } = call
  const figures =
    usage === null
      ? null
      : [usage.input - usage.cached, usage.cached, usage.output, usage.thoughts, usage.tool]
  return (
    <tr className={call.superseded === null ? undefined : 'chart-superseded'}>
      <th scope="row">
        <a
          className="link"
          href={`#m-${call.messageKey}`}
          onClick={(event) => {
            event.preventDefault()
            onJump(call.messageKey, call.offset)
          }}
        >
          {number}
        </a>
        {call.failed && <span className="tone-error"> failed</span>}
        {call.superseded !== null && <span className="dim"> {call.superseded}</span>}
      </th>
      <td>{call.turn}</td>
      <td>{call.time === null ? '-' : formatClock(new Date(call.time).toISOString(), 'seconds')}</td>
      <td>{call.model === null ? '-' : formatModel(call.model)}</td>
      {['fresh', 'cached', 'output', 'thoughts', 'tool'].map((name, index) => (
        <td key={name} className="num">
          {figures === null ? '-' : formatCount(figures[index] ?? 0)}
        </td>
      ))}
      <td className="num">{usd === null ? '-' : formatFineUsd(usd)}</td>
    </tr>
  )
}
