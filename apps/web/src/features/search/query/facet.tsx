import './facets.css'
import { useState } from 'react'
import { formatCount } from '../../../lib/figures/format.ts'
import { Button } from '../../../ui/buttons/button.tsx'

export type FacetOption = { value: string; label: string; count: number }

type Props = {
  legend: string
  options: FacetOption[]
  chosen: readonly string[]
  onToggle: (value: string, isChosen: boolean) => void
}

const SHOWN_AT_FIRST = 10

/** One dimension of a result: its values with their hits, to narrow it down. */
export function Facet({ legend, options, chosen, onToggle }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  if (options.length === 0) return null
  const most = Math.max(...options.map((option) => option.count))
  const shown = options.filter(
    (option, position) => showsAll || position < SHOWN_AT_FIRST || chosen.includes(option.value),
  )
  return (
    <fieldset className="facet">
      <legend>{legend}</legend>
      {shown.map((option) => (
        <label key={option.value} className="facet-option">
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={(event) => onToggle(option.value, event.target.checked)}
          />
          <span className="name" dir="auto" title={option.label}>
            {option.label}
          </span>
          <span className="count">{formatCount(option.count)}</span>
          <svg aria-hidden="true">
            <rect width={`${most > 0 ? (option.count / most) * 100 : 0}%`} height="100%" />
          </svg>
        </label>
      ))}
      {shown.length < options.length && (
        <Button look="quiet" size="tiny" onClick={() => setShowsAll(true)}>
          {formatCount(options.length - shown.length)} more
        </Button>
      )}
    </fieldset>
  )
}
