import type { ReactNode } from 'react'
import { useDraft } from '../../lib/hooks/use-draft.ts'
import { EditDialog } from '../../ui/frames/edit-dialog.tsx'
import { Notice } from '../../ui/states/notice.tsx'

interface Props {
  title: string
  /** What is being written about. */
  about: string
  change: { error: Error | null; isPending: boolean }
  /** Gets the trimmed text of a field by its name; `onKept` is called when it stands. */
  onSave: (text: (name: string) => string, onKept: () => void) => void
  onClose: () => void
  /** The fields, given what was begun and not kept. */
  children: (begun: Record<string, string> | null) => ReactNode
}

/** A dialog for what the reader has to say: what was begun in it survives a reload. An empty field takes it back. */
export function DraftDialog({ title, about, change, onSave, onClose, children }: Props) {
  const draft = useDraft(about)
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
          const fields = new FormData(event.currentTarget)
          onSave((name) => String(fields.get(name) ?? '').trim(), end)
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
      {children(draft.begun)}
    </EditDialog>
  )
}

export function NoteField({ text }: { text: string | undefined }) {
  return (
    <label className="dialog-field">
      <span>Note</span>
      <textarea name="note" rows={5} dir="auto" maxLength={20_000} defaultValue={text} />
    </label>
  )
}
