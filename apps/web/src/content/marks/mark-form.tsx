import '../../ui/frames/dialog-form.css'
import { useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { type FormEvent, useId } from 'react'
import { marksQuery, useMarkChange } from '../../api/marks.ts'
import { useDraft } from '../../lib/hooks/use-draft.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** A dialog for what the reader has to say of a session: a title of their own, tags, a note. An empty field takes it back. */
export default function MarkForm({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const [titleId, tagsId] = [useId(), useId()]
  const marks = useQuery(marksQuery()).data?.marks ?? {}
  const known = [...new Set(Object.values(marks).flatMap(({ tags }) => tags))].sort((a, b) =>
    a.localeCompare(b),
  )
  const change = useMarkChange(session)
  const draft = useDraft(`marks ${session.key}`)
  const end = () => {
    draft.clear()
    onClose()
  }
  const { mark } = session
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const tags = text('tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
    change.mutate(
      { title: text('title') || null, tags: [...new Set(tags)], note: text('note') },
      { onSuccess: end },
    )
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
        <h2 id={titleId}>Note, tags and title</h2>
        <p>Only gemini-dash keeps this, in a file of its own. Nothing of Gemini CLI is changed.</p>
        {draft.begun !== null && <Notice>What you had begun to write is back. It is not saved yet.</Notice>}
        <label className="dialog-form-field">
          <span>Title, in the place of the recorded one</span>
          <input
            name="title"
            type="text"
            dir="auto"
            maxLength={300}
            defaultValue={draft.begun?.title ?? mark?.title ?? ''}
            placeholder={session.title}
            autoComplete="off"
          />
        </label>
        <label className="dialog-form-field">
          <span>Tags, with commas between them</span>
          <input
            name="tags"
            type="text"
            dir="auto"
            defaultValue={draft.begun?.tags ?? mark?.tags.join(', ')}
            list={tagsId}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <datalist id={tagsId}>
          {known.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        <label className="dialog-form-field">
          <span>Note</span>
          <textarea
            name="note"
            rows={5}
            dir="auto"
            maxLength={20_000}
            defaultValue={draft.begun?.note ?? mark?.note}
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
