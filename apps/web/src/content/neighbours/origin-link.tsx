import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'

interface Props {
  sessionKey: string
  /** Rows that are known. */
  related: readonly SessionSummary[]
}

/** A session that counts requests of the one that is read, by its title. One that is gone has none, and leads nowhere. */
export function OriginLink({ sessionKey, related }: Props) {
  const origin = related.find(({ key }) => key === sessionKey)
  if (origin === undefined) return 'another session'
  return (
    <Link to="/s/$key" params={{ key: sessionKey }} className="link" dir="auto">
      {origin.title || 'another session'}
    </Link>
  )
}
