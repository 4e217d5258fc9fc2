import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { conversationSearch } from '../../lib/address/session-search.ts'

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
  return (
    <Link
      className={className}
      from="/s/$key"
      to="/s/$key"
      params={{ key: sessionRef }}
      search={conversationSearch}
      hash={`m-${messageKey}${call === null ? '' : `~call-${call}`}`}
      title={title}
    >
      {children}
    </Link>
  )
}
