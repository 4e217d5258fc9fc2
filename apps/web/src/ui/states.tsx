import './ui.css'
import { CircleAlert, Info, RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Asked, isUnanswered } from '../api/request.ts'
import { useDocumentTitle } from '../lib/hooks.ts'
import { useDelayed } from '../lib/list-hooks.ts'
import { Button } from './buttons/button.tsx'
import { Icon } from './icons.tsx'

type Props = { what: string; error: Error; onRetry: () => void; stillWorks?: string }

/** Replaces what failed: what, why, what still works, and a retry button. */
export function Failed({ what, error, onRetry, stillWorks }: Props) {
  return (
    <div className="grid justify-items-start gap-3 py-3">
      <Notice tone="error">
        <b>{what}</b> {error.message} {stillWorks}
      </Notice>
      <Button onClick={onRetry}>
        <Icon of={RotateCw} small />
        Retry
      </Button>
    </div>
  )
}

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert }

/** A notice of one or two sentences. */
export function Notice({ tone = 'info', children }: { tone?: keyof typeof ICONS; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'error' ? 'alert' : undefined}>
      <Icon of={ICONS[tone]} />
      <div>{children}</div>
    </div>
  )
}

/** A one-line error with a retry, in place of something small. Nothing unless the answer is missing. */
export function FailedLine({ what, asked }: { what: string; asked: Asked }) {
  if (!isUnanswered(asked)) return null
  return (
    <p className="failed-line" role="alert">
      {what} {asked.error?.message}{' '}
      <button type="button" className="link" onClick={() => void asked.refetch()}>
        Retry
      </button>
    </p>
  )
}

/** A page with a single message: nothing here, access denied, something broke. */
export function NoticePage({
  title,
  intro,
  children,
}: {
  title: string
  intro: ReactNode
  children?: ReactNode
}) {
  useDocumentTitle(title)
  return (
    <main className="message-page" id="main" tabIndex={-1}>
      <h1>{title}</h1>
      <p className="lead">{intro}</p>
      {children}
    </main>
  )
}

const DELAY_MS = 150

/** Placeholder rows in the size of the expected content; nothing for the first 150 ms. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  const isDue = useDelayed(true, DELAY_MS)
  if (!isDue) return <div hidden aria-busy="true" />
  return (
    <div className="skeleton-rows sheet" role="status" aria-label={label} aria-busy="true">
      {Array.from({ length: count }, (_, row) => `row ${row}`).map((key) => (
        <div key={key} className="skeleton-row">
          <span className="skeleton" />
        </div>
      ))}
    </div>
  )
}
