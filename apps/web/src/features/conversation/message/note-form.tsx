import { useMessageMark } from '../../../api/marks.ts'
import { DraftDialog, NoteField } from '../../../content/draft-dialog.tsx'

interface Props {
  sessionRef: string
  messageKey: string
  onClose: () => void
}

/** Form for a note on one message. */
export default function NoteForm({ sessionRef, messageKey, onClose }: Props) {
  const { mark, change } = useMessageMark(sessionRef, messageKey)
  return (
    <DraftDialog
      title="Note on this message"
      about={`note ${sessionRef} ${messageKey}`}
      said={{ note: mark.note }}
      change={change}
      onSave={(changed, onKept) => change.mutate(changed, { onSuccess: onKept })}
      onClose={onClose}
    >
      {(textOf) => <NoteField text={textOf('note')} />}
    </DraftDialog>
  )
}
