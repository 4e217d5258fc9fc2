import '../../../../ui/frames/dialog-form.css'
import { type FormEvent, useId } from 'react'
import { useMessageMark } from '../../../../api/marks.ts'
import { useDraft } from '../../../../lib/hooks/use-draft.ts'
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
  const draft = useDraft(`note ${sessionRef} ${messageKey}`)
  const end = () => {
    draft.clear()
    onClose()
  }
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim()
    change.mutate({ note }, { onSuccess: end })
  }
  return (
    <dialog
      className="dialog-form"
      aria-labelledby={titleId}
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={() => {
        draft.leave()
        onClose()
      }}
    >
      <form onSubmit={save} onInput={draft.keep}>
        <h2 id={titleId}>Note on this message</h2>
        <p>Only gemini-dash keeps this, in a file of its own. Nothing of Gemini CLI is changed.</p>
        {draft.begun !== null && <Notice>What you had begun to write is back. It is not saved yet.</Notice>}
        <label className="dialog-form-field">
          <span>Note</span>
          <textarea
            name="note"
            rows={5}
            dir="auto"
            maxLength={20_000}
            defaultValue={draft.begun?.note ?? mark.note}
          />
        </label>
        {change.isError && <Notice tone="error">{change.error.message}</Notice>}
        <div className="dialog-form-actions">
          <Button onClick={end}>Cancel</Button>
          <Button type="submit" look="primary" disabled={change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </dialog>
  )
}
