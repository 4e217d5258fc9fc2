import '../../../../ui/frames/dialog-form.css'
import { type FormEvent, useId } from 'react'
import { useMessageMark } from '../../../../api/marks.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Notice } from '../../../../ui/states/notice.tsx'

interface Props {
  sessionRef: string
  messageKey: string
  onClose: () => void
}

/** A dialog for what the reader has to say of one message. An empty field takes it back. */
export default function NoteForm({ sessionRef, messageKey, onClose }: Props) {
  const titleId = useId()
  const { mark, change } = useMessageMark(sessionRef, messageKey)
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim()
    change.mutate({ note }, { onSuccess: onClose })
  }
  return (
    <dialog
      className="dialog-form"
      aria-labelledby={titleId}
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
    >
      <form onSubmit={save}>
        <h2 id={titleId}>Note on this message</h2>
        <p>Only gemini-dash keeps this, in a file of its own. Nothing of Gemini CLI is changed.</p>
        <label className="dialog-form-field">
          <span>Note</span>
          <textarea name="note" rows={5} dir="auto" maxLength={20_000} defaultValue={mark.note} />
        </label>
        {change.isError && <Notice tone="error">{change.error.message}</Notice>}
        <div className="dialog-form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </dialog>
  )
}
