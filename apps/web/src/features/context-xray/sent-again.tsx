import './sent-again.css'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ContextItem } from 'gemini-sessions'
import { useState } from 'react'
import { formatCount, formatFineUsd, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { useHeldFocus } from '../../lib/hooks/use-held-focus.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { ShareBar } from '../../ui/figures/share-bar.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'

const FIRST_ROWS = 8
const COLUMNS = [
  { name: 'Tokens', className: 'num wide-only' },
  { name: 'Times sent', className: 'num wide-only' },
  { name: 'Together', className: 'num' },
]
const COST_COLUMN = { name: 'Cost of that', className: 'num' }

interface Props {
  sessionRef: string
  items: readonly ContextItem[]
  /** false on a plan: cost is told nowhere. */
  hasPrices: boolean
}

/** The pieces that took most of all prompts together. */
export function SentAgain({ sessionRef, items, hasPrices }: Props) {
  const [isAll, setIsAll] = useState(false)
  const around = useHeldFocus<HTMLElement>()
  const again = items.filter(({ sent }) => sent > 1)
  if (again.length === 0) return null
  const largest = again.reduce((max, { sentTokens }) => Math.max(max, sentTokens), 1)
  const shown = isAll ? again : again.slice(0, FIRST_ROWS)
  return (
    <section className="panel" aria-labelledby="sent-again-title" ref={around}>
      <header className="panel-head">
        <h2 id="sent-again-title">Sent again and again</h2>
        <p>
          Every call sends its whole context. Tokens and cost are estimated; cost counts all sendings but the
          first.
        </p>
      </header>
      <ScrollRegion label="Sent again and again">
        <table className="data-table sent-again">
          <thead>
            <tr>
              <th scope="col">What</th>
              <td className="share-cell" />
              {(hasPrices ? [...COLUMNS, COST_COLUMN] : COLUMNS).map(({ name, className }) => (
                <th key={name} scope="col" className={className}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((item, index) => (
              <tr key={`${item.messageKey} ${item.kind} ${item.call} ${item.name} ${index}`}>
                <th scope="row" title={item.label || item.name}>
                  <Piece sessionRef={sessionRef} item={item} />
                </th>
                <td className="share-cell">
                  <ShareBar share={item.sentTokens / largest} />
                </td>
                <td className="num wide-only">{formatTokens(item.tokens)}</td>
                <td className="num wide-only">{formatCount(item.sent)}</td>
                <td className="num">{formatTokens(item.sentTokens)}</td>
                {hasPrices && (
                  <td className={item.resentUsd === null ? 'num none' : 'num main'}>
                    {item.resentUsd === null ? 'unknown' : formatFineUsd(item.resentUsd)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {!isAll && again.length > FIRST_ROWS && (
        <Button look="quiet" size="tiny" className="sent-again-more" onClick={() => setIsAll(true)}>
          {formatPlural(again.length - FIRST_ROWS, 'more piece')}
        </Button>
      )}
    </section>
  )
}

function Piece({ sessionRef, item }: { sessionRef: string; item: ContextItem }) {
  const { messageKey, turn, call, kind, label, name } = item
  if (kind === 'baseline') return <span>System instructions and tools</span>
  return (
    <>
      <ToMessage sessionRef={sessionRef} messageKey={messageKey} call={call}>
        <span title={kind.startsWith('tool-') ? name : undefined}>{pieceWord(item)}</span>
      </ToMessage>{' '}
      <bdi className={kind === 'prompt' ? undefined : 'mono'}>{kind === 'file' ? name : label}</bdi>
      {turn > 0 && <span className="dim wide-only"> turn {turn}</span>}
    </>
  )
}

function pieceWord({ kind, name }: ContextItem): string {
  switch (kind) {
    case 'prompt':
      return 'Prompt'
    case 'file':
      return 'Attached file'
    case 'answer':
      return 'Answer'
    case 'tool-call':
      return `${toolLabel(name)} call`
    case 'tool-result':
      return name === '' ? 'Tool result' : `${toolLabel(name)} result`
    default:
      return 'Session context'
  }
}
