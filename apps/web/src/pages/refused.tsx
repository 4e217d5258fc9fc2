import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { sessionQuery } from '../api/session.ts'
import { formatDateTime } from '../lib/dates.ts'
import { Button, CopyButton } from '../ui/buttons/button.tsx'
import { ShellCommand } from '../ui/controls.tsx'
import { Icon } from '../ui/icons.tsx'
import { NoticePage } from '../ui/states.tsx'

/** A page that threw. The other pages still work. */
export function BrokenPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <NoticePage title="This page could not be drawn" intro={error.message}>
      <p className="mt-4 text-ink-2">The other pages still work, and nothing on disk was touched.</p>
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Button look="primary" onClick={onRetry}>
          <Icon of={RotateCw} small />
          Try again
        </Button>
        <CopyButton text={`${error.name}: ${error.message}\n${error.stack ?? ''}`} label="Copy details" />
      </div>
    </NoticePage>
  )
}

/** This browser has no session cookie, or it has expired. */
export function ForbiddenPage() {
  return (
    <NoticePage
      title="This browser is not let in yet"
      intro="Your sessions are shown only to browsers signed in with a one-time link from your own terminal. Ask for a new link and open it here."
    >
      <ShellCommand line="npx gemini-dash url" />
    </NoticePage>
  )
}

/** No such page, project or session. */
export function NotFoundPage({ what }: { what?: string }) {
  return (
    <NoticePage title="Nothing here" intro={what ?? 'There is no page at this address.'}>
      <p className="mt-6">
        <Link to="/" className="link">
          All sessions
        </Link>{' '}
        or{' '}
        <Link to="/search" className="link">
          search in all of them
        </Link>
      </p>
    </NoticePage>
  )
}

/** More are only counted: a single letter may match very many keys. */
const MOST_NAMED = 20

/** Lists the sessions that an ambiguous reference matches. */
export function AmbiguousPage({ sessionKeys }: { sessionKeys: string[] }) {
  const named = sessionKeys.slice(0, MOST_NAMED)
  const details = useQueries({ queries: named.map((key) => sessionQuery(key)) })
  return (
    <NoticePage
      title={`${sessionKeys.length} sessions have this id or begin with it`}
      intro={
        named.length < sessionKeys.length
          ? `Which one do you mean? These are the first ${named.length}; a longer key finds the others.`
          : 'Which one do you mean?'
      }
    >
      <ul className="sheet mt-6">
        {named.map((key, position) => {
          const session = details[position]?.data?.session
          return (
            <li key={key} className="border-line border-t px-3 py-2 first:border-t-0">
              <Link to="/s/$key" params={{ key }} className="link text-md font-medium" dir="auto">
                {session?.title || key}
              </Link>
              <span className="dim ms-3 text-xs">
                {session?.project.name}
                {session?.startTime && `, ${formatDateTime(session.startTime)}`}
              </span>
            </li>
          )
        })}
      </ul>
    </NoticePage>
  )
}
