import { useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { useId } from 'react'
import { marksQuery, useMarkChange } from '../api/marks.ts'
import { DraftDialog, NoteField } from './draft-dialog.tsx'

/** Form for a session's custom title, tags and note. */
export default function MarkForm({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const tagsId = useId()
  const marks = useQuery(marksQuery()).data?.marks ?? {}
  const known = [...new Set(Object.values(marks).flatMap(({ tags }) => tags))].sort((a, b) =>
    a.localeCompare(b),
  )
  const change = useMarkChange(session)
  const { mark } = session
  const said = { title: mark?.title ?? '', tags: mark?.tags.join(', ') ?? '', note: mark?.note ?? '' }
  function save({ title, tags, note }: Record<string, string>, onKept: () => void) {
    const asked = {
      ...(title !== undefined && { title: title || null }),
      ...(tags !== undefined && { tags: toTags(tags) }),
      ...(note !== undefined && { note }),
    }
    change.mutate(asked, { onSuccess: onKept })
  }
  return (
    <DraftDialog
      title="Note, tags and title"
      about={`marks ${session.key}`}
      said={said}
      change={change}
      onSave={save}
      onClose={onClose}
    >
      {(textOf) => (
        <>
          <label className="dialog-field">
            <span>Title, in the place of the recorded one</span>
            <input
              name="title"
              type="text"
              dir="auto"
              maxLength={300}
              defaultValue={textOf('title')}
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
              defaultValue={textOf('tags')}
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
          <NoteField text={textOf('note')} />
        </>
      )}
    </DraftDialog>
  )
}

function toTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}
