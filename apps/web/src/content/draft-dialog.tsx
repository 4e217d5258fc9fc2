import './content.css'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { type ReactNode, useState } from 'react'
import { changedTexts } from '../lib/browser.ts'
import { useDraft } from '../lib/hooks.ts'
import { EditDialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/states.tsx'

interface Props {
  title: string
  /** Identifies the subject of the draft. */
  about: string
  /** The saved texts, by field name. */
  said: Record<string, string>
  change: { error: Error | null; isPending: boolean }
  /** Receives the trimmed texts of changed fields; calls `onKept` once they are saved. */
  onSave: (changed: Record<string, string>, onKept: () => void) => void
  onClose: () => void
  /** The fields; `textOf` returns the text of a field by name. */
  children: (textOf: (name: string) => string) => ReactNode
}

/**
 * A dialog for the user's own texts; its draft survives a reload. An empty field deletes the text, an unchanged one is not sent: another
 * tab or browser may have changed it.
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

/** Note and tags of a session in one line; nothing if there are none. */
export function MarkLine({ session: { mark } }: { session: SessionSummary }) {
  if (mark === null || (mark.note === '' && mark.tags.length === 0)) return null
  return (
    <div className="mark-line">
      {mark.tags.map((tag) => (
        <Link
          key={tag}
          to="/"
          search={{ tag }}
          className="mark-tag label one-line"
          dir="auto"
          title={`All sessions with the tag ${tag}`}
        >
          {tag}
        </Link>
      ))}
      {mark.note !== '' && (
        <span className="mark-note one-line" dir="auto" title={mark.note}>
          {mark.note}
        </span>
      )}
    </div>
  )
}
