import './ui.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addDays } from '../lib/dates.ts'
import { usePaper } from '../lib/paper.ts'
import { conversationSearch } from '../lib/session-search.ts'
import { messageAnchor } from '../lib/session-words.ts'

interface Props {
  sessionRef: string
  messageKey: string
  /** Index of a tool call in the message; null: the message itself. */
  call: number | null
  title?: string
  className?: string
  children: ReactNode
}

/** Link from a derived view to a message, or a tool call in it. Back returns to the view. */
export function ToMessage({ sessionRef, messageKey, call, title, className = 'link', children }: Props) {
  const anchor = messageAnchor(messageKey, call === null ? null : `call-${call}`)
  if (usePaper() !== null)
    return (
      <a href={`#${encodeURIComponent(anchor)}`} className={className} title={title}>
        {children}
      </a>
    )
  return (
    <Link
      className={className}
      from="/s/$key"
      to="/s/$key"
      params={{ key: sessionRef }}
      search={conversationSearch}
      hash={anchor}
      title={title}
    >
      {children}
    </Link>
  )
}

interface DayFieldsProps {
  /** Days `YYYY-MM-DD`; `to` is exclusive. */
  from: string | undefined
  to: string | undefined
  /** Upper limit for the first day. */
  today: string
  onChange: (days: { from: string | undefined; to: string | undefined }) => void
}

/** A custom range of days: first and last. */
export function DayFields({ from, to, today, onChange }: DayFieldsProps) {
  const last = to && addDays(to, -1)
  return (
    <div className="day-fields">
      <label>
        <span>From</span>
        <input
          type="date"
          value={from ?? ''}
          max={last ?? today}
          onChange={({ target }) => onChange({ from: target.value || undefined, to })}
        />
      </label>
      <label>
        <span>To</span>
        <input
          type="date"
          value={last ?? ''}
          min={from}
          onChange={({ target }) =>
            onChange({ from, to: target.value ? addDays(target.value, 1) : undefined })
          }
        />
      </label>
    </div>
  )
}
