import { Link } from '@tanstack/react-router'

/** A session by its title. */
export function SessionLink({ sessionKey, title }: { sessionKey: string; title: string }) {
  return (
    <Link to="/s/$key" params={{ key: sessionKey }} className="link" dir="auto">
      {title}
    </Link>
  )
}
