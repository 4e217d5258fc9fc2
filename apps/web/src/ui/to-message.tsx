import './to-message.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addDays } from '../lib/figures.ts'
import { usePaper } from '../lib/paper.ts'
import { conversationSearch } from '../lib/session-search.ts'
import { messageAnchor } from '../lib/session-words.ts'

interface Props {
  sessionRef: string
  messageKey: string
  /** Position of a call in the message; null: the message itself. */
  call: number | null
  title?: string
  className?: string
  children: ReactNode
}

/** The way from what is told of a session to the message, or the call in it, that it is told of. Back leads here again. */
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
  /** Days `YYYY-MM-DD`; `to` is the first that does not count. */
  from: string | undefined
  to: string | undefined
  /** No later day can be the first. */
  today: string
  onChange: (days: { from: string | undefined; to: string | undefined }) => void
}

/** A range of days of the reader's own: its first and its last one. */
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
