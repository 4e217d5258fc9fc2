import { useNavigate } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { useState } from 'react'
import { useForget } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Deletes everything that gemini-dash stores about a session. Confirmed twice; then shows what remains in files of others. */
export default function ForgetDialog({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const [isSure, setIsSure] = useState(false)
  const forget = useForget(session)
  const navigate = useNavigate()
  const isGone = session.deletedSeen !== null
  // Leaves the page if the session is in no Gemini folder: nothing of it remains.
  const goOn = () =>
    isSure
      ? forget.mutate(undefined, { onSuccess: () => isGone && void navigate({ to: '/' }) })
      : setIsSure(true)
  const actions =
    forget.data === undefined ? (
      <>
        <Button disabled={forget.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button key={String(isSure)} disabled={forget.isPending} onClick={goOn}>
          {isSure ? (forget.isPending ? 'Deleting…' : 'Delete for good') : 'Delete…'}
        </Button>
      </>
    ) : (
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    )
  return (
    <Dialog
      title="Delete from gemini-dash"
      actions={actions}
      error={forget.error}
      isBusy={forget.isPending}
      onClose={onClose}
    >
      {forget.data === undefined ? (
        <p>{isSure ? <b>This can’t be undone.</b> : WHAT}</p>
      ) : (
        <>
          <p role="status">
            Deleted from gemini-dash. Files in the Gemini folder stay; they are shown as long as they exist
            and never archived again.
          </p>
          <ul className="dialog-files">
            {forget.data.stillThere.map((path) => (
              <li key={path} className="mono" dir="ltr">
                <MachineText text={path} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

const WHAT =
  'Delete this session and its sub-agents from gemini-dash’s archive, index and your notes? Files in the Gemini folder stay.'
