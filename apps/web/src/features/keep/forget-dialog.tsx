import { useNavigate } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { useState } from 'react'
import { useForget } from '../../api/keep.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'

/** Erases what gemini-dash holds of a session. Asked twice; then says what is left because it is not ours. */
export default function ForgetDialog({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const [isSure, setIsSure] = useState(false)
  const forget = useForget(session.key)
  const navigate = useNavigate()
  const isGone = session.deletedSeen !== null
  // Of a session that is in no home nothing is left to be looked at.
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
          {isSure ? (forget.isPending ? 'Forgetting…' : 'Forget it for good') : 'Forget…'}
        </Button>
      </>
    ) : (
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    )
  return (
    <Dialog
      title="Forget this session"
      actions={actions}
      error={forget.error}
      isBusy={forget.isPending}
      onClose={onClose}
    >
      {forget.data === undefined ? (
        <p>{isSure ? <b>It will be gone for good, and cannot be brought back.</b> : WHAT}</p>
      ) : (
        <>
          <p role="status">
            Forgotten. What stands in a home is not ours: it is left alone, shown as long as it is there, and
            never kept again.
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
  'Erase this session and its sub-agents from the archive, the index and your marks? What is still in a home is left alone, and not kept again.'
