import { useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { useId } from 'react'
import { marksQuery, useMarkChange } from '../../api/marks.ts'
import { DraftDialog, NoteField } from './draft-dialog.tsx'

/** What the reader has to say of a session: a title of their own, tags, a note. */
export default function MarkForm({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const tagsId = useId()
  const marks = useQuery(marksQuery()).data?.marks ?? {}
  const known = [...new Set(Object.values(marks).flatMap(({ tags }) => tags))].sort((a, b) =>
    a.localeCompare(b),
  )
  const change = useMarkChange(session)
  const { mark } = session
  function save(text: (name: string) => string, onKept: () => void) {
    const tags = text('tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
    change.mutate(
      { title: text('title') || null, tags: [...new Set(tags)], note: text('note') },
      { onSuccess: onKept },
    )
  }
  return (
    <DraftDialog
      title="Note, tags and title"
      about={`marks ${session.key}`}
      change={change}
      onSave={save}
      onClose={onClose}
    >
      {(begun) => (
        <>
          <label className="dialog-field">
            <span>Title, in the place of the recorded one</span>
            <input
              name="title"
              type="text"
              dir="auto"
              maxLength={300}
              defaultValue={begun?.title ?? mark?.title ?? ''}
              placeholder={session.title}
              autoComplete="off"
            />
          </label>
          <label className="dialog-field">
            <span>Tags, with commas between them</span>
            <input
              name="tags"
              type="text"
              dir="auto"
              defaultValue={begun?.tags ?? mark?.tags.join(', ')}
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
          <NoteField text={begun?.note ?? mark?.note} />
        </>
      )}
    </DraftDialog>
  )
}
