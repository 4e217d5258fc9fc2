import './star-button.css'
import type { SessionSummary } from 'gemini-sessions'
import { Star } from 'lucide-react'
import { useMarkChange } from '../../api/marks.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

/** Marks a session as one to come back to. Says so where that could not be kept. */
export function StarButton({ session, name }: { session: SessionSummary; name: string }) {
  const change = useMarkChange(session)
  const isStarred = session.mark?.star === true
  const label = `Star ${name}`
  return (
    <IconButton
      icon={Star}
      label={change.isError ? `${label}. It could not be kept: ${change.error.message}` : label}
      aria-pressed={isStarred}
      className={classNames('star-button', isStarred && 'is-set', change.isError && 'failed')}
      onClick={() => change.mutate({ star: !isStarred })}
    />
  )
}
