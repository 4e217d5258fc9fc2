import './draft-dialog.css'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { type ReactNode, useState } from 'react'
import { changedTexts } from '../lib/browser.ts'
import { useDraft } from '../lib/hooks.ts'
import { EditDialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/states.tsx'

interface Props {
  title: string
  /** What is being written about. */
  about: string
  /** What is said of it now, by the names of the fields. */
  said: Record<string, string>
  change: { error: Error | null; isPending: boolean }
  /** Gets the trimmed texts of the fields that were changed; `onKept` is called when they stand. */
  onSave: (changed: Record<string, string>, onKept: () => void) => void
  onClose: () => void
  /** The fields, given the text of each by its name. */
  children: (textOf: (name: string) => string) => ReactNode
}

/**
 * A dialog for what the reader has to say: what was begun in it survives a reload. An empty field takes it back, and one that was
 * left alone is not sent: another tab or browser may have said something else there since.
 */
export function DraftDialog({ title, about, said, change, onSave, onClose, children }: Props) {
  const [before] = useState(said)
  const draft = useDraft(about, before)
  const end = () => {
    draft.clear()
    onClose()
  }
  return (
    <EditDialog
      title={title}
      form={{
        onSubmit: (event) => {
          event.preventDefault()
          const changed = changedTexts(new FormData(event.currentTarget), before)
          if (Object.keys(changed).length === 0) end()
          else onSave(changed, end)
        },
        onInput: draft.keep,
      }}
      error={change.error}
      isSaving={change.isPending}
      onCancel={end}
      onClose={() => {
        draft.leave()
        onClose()
      }}
    >
      {draft.begun !== null && <Notice>What you had begun to write is back. It is not saved yet.</Notice>}
      {children((name) => draft.begun?.[name] ?? before[name] ?? '')}
    </EditDialog>
  )
}

export function NoteField({ text }: { text: string }) {
  return (
    <label className="dialog-field">
      <span>Note</span>
      <textarea name="note" rows={5} dir="auto" maxLength={20_000} defaultValue={text} />
    </label>
  )
}

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
