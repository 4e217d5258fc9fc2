import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { ShellCommand } from '../../ui/controls/shell-command.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { NoticePage } from '../../ui/states/notice-page.tsx'

/** A page that threw. The other pages still work. */
export function BrokenPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <NoticePage title="This page could not be drawn" lead={error.message}>
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

/** This browser has no session cookie, or it has run out. */
export function ForbiddenPage() {
  return (
    <NoticePage
      title="This browser is not let in yet"
      lead="Your sessions are shown only to browsers that came through a one-time link from your own terminal. Ask for a new link and open it here."
    >
      <ShellCommand line="npx gemini-dash url" />
    </NoticePage>
  )
}

/** No such page, project or session. */
export function NotFoundPage({ what }: { what?: string }) {
  return (
    <NoticePage title="Nothing here" lead={what ?? 'There is no page at this address.'}>
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
