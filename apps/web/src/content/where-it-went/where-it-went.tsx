import '../../ui/frames/panel.css'
import './where-it-went.css'
import type { CostWhy } from '@gemini-dash/api'
import type { ReactNode } from 'react'
import { formatExactUsd, formatPercent, formatShareUsd } from '../../lib/figures/format.ts'

type Kind = CostWhy['items'][number]['kind'] | 'subagents'

interface Props {
  /** null: no price is known. */
  total: number | null
  items: readonly { kind: Kind; usd: number; text: string; evidence: ReactNode }[]
  /** What the total is of. */
  of: ReactNode
}

/** Where a cost went, each dollar once: amounts, what they were for, and the way to what shows it. */
export function WhereItWent({ total, items, of }: Props) {
  return (
    <section className="panel where-it-went" aria-label="Where it went">
      <div className="panel-head">
        <h2>Where it went</h2>
        <p>each dollar once; the items add up</p>
      </div>
      {total === null ? (
        <p className="panel-body">No price is known of these calls.</p>
      ) : (
        <ul className="panel-body">
          {items.map(({ kind, usd, text, evidence }) => (
            <li key={kind}>
              <b className="went-usd" title={formatExactUsd(usd)}>
                {formatShareUsd(usd)}
              </b>
              <p>
                <Sentence text={text} /> {evidence}
              </p>
              <span className="went-share">{formatPercent(total > 0 ? usd / total : 0)}</span>
              <svg className={`went-bar ${kind}`} aria-hidden="true">
                <rect className="whole" width="100%" height="100%" />
                <rect className="part" width={`${total > 0 ? (usd / total) * 100 : 0}%`} height="100%" />
              </svg>
            </li>
          ))}
          <li className="went-total">
            <b className="went-usd" title={formatExactUsd(total)}>
              {formatShareUsd(total)}
            </b>
            <p>{of}</p>
            <span className="went-share">{formatPercent(total > 0 ? 1 : 0)}</span>
          </li>
        </ul>
      )}
    </section>
  )
}

/** `Thoughts: …`: what it is in bold. */
function Sentence({ text }: { text: string }) {
  const [, name, rest] = /^([^:]+):(.*)$/s.exec(text) ?? []
  if (name === undefined) return text
  return (
    <span dir="auto">
      <b>{name}</b>:{rest}
    </span>
  )
}
