import '../ui/buttons/button.css'
import '../ui/ui.css'
import './why-panel.css'
import type { CostWhy } from '@gemini-dash/api'
import { NOTHING_TO_CHANGE } from '@gemini-dash/api/why-labels'
import type { ReactNode } from 'react'
import { formatExactUsd } from '../lib/figures.ts'

interface WhyLine extends Pick<CostWhy['lines'][number], 'usd' | 'shown' | 'percent' | 'text' | 'advice'> {
  key: string
  detail: string
  /** Link to what shows it. */
  way: ReactNode
}

interface Props {
  title: string
  /** What the total covers; '' if the title says it. */
  note: string
  lines: readonly WhyLine[]
  /** Content below the lines. */
  children?: ReactNode
}

/** Cost breakdown: amounts that add up, what happened, and what to do about it. */
export function WhyPanel({ title, note, lines, children }: Props) {
  return (
    <section className="panel why-panel" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        {note !== '' && <p>{note}</p>}
      </div>
      <ol>
        {lines.map(({ key, usd, shown, percent, text, detail, advice, way }) => (
          <li key={key}>
            <b className="why-usd" title={formatExactUsd(usd)}>
              {shown}
            </b>
            <p className="why-what">
              <b dir="auto">{text}</b> <span className="why-share meta">{percent}%</span>
            </p>
            <p className="why-detail" dir="auto">
              {detail} {advice === null ? NOTHING_TO_CHANGE : <b>{advice}</b>}
            </p>
            {way}
          </li>
        ))}
      </ol>
      {children}
    </section>
  )
}
