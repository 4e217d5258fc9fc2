import './mark-line.css'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'

/** What the reader noted of a session, on one line; nothing where nothing is. */
export function MarkLine({ session: { mark } }: { session: SessionSummary }) {
  if (mark === null || (mark.note === '' && mark.tags.length === 0)) return null
  return (
    <div className="mark-line">
      {mark.tags.map((tag) => (
        <Link
          key={tag}
          to="/"
          search={{ tag }}
          className="mark-tag"
          dir="auto"
          title={`All sessions with the tag ${tag}`}
        >
          {tag}
        </Link>
      ))}
      {mark.note !== '' && (
        <span className="mark-note" dir="auto" title={mark.note}>
          {mark.note}
        </span>
      )}
    </div>
  )
}
