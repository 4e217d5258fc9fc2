import './mark-line.css'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'

const MarkForm = lazyDialog(() => import('./mark-form.tsx'))

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

/** Opens the dialog for a title of one's own, tags and a note. */
export function MarkFormButton({ session }: { session: SessionSummary }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton icon={Pencil} label="Note, tags and title" onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Suspense>
          <MarkForm session={session} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
