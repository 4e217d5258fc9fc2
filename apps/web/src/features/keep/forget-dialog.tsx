import '../../ui/frames/dialog-form.css'
import { useNavigate } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { useId, useState } from 'react'
import { useForget } from '../../api/keep.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** Erases what gemini-dash holds of a session. Asked twice; then says what is left because it is not ours. */
export default function ForgetDialog({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const titleId = useId()
  const [isSure, setIsSure] = useState(false)
  const forget = useForget(session.key)
  const navigate = useNavigate()
  const isGone = session.deletedSeen !== null
  // Of a session that is in no home nothing is left to be looked at.
  const goOn = () =>
    isSure
      ? forget.mutate(undefined, { onSuccess: () => isGone && void navigate({ to: '/' }) })
      : setIsSure(true)
  return (
    <dialog
      className="dialog-form"
      aria-labelledby={titleId}
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
    >
      <form method="dialog">
        <h2 id={titleId}>Forget this session</h2>
        {forget.data === undefined ? (
          <>
            <p>{isSure ? <b>It will be gone for good, and cannot be brought back.</b> : WHAT}</p>
            {forget.isError && <Notice tone="error">{forget.error.message}</Notice>}
            <div className="dialog-form-actions">
              <Button disabled={forget.isPending} onClick={onClose} autoFocus>
                Cancel
              </Button>
              <Button key={String(isSure)} disabled={forget.isPending} onClick={goOn}>
                {isSure ? (forget.isPending ? 'Forgetting…' : 'Forget it for good') : 'Forget…'}
              </Button>
            </div>
          </>
        ) : (
          <>
            <p role="status">
              Forgotten. What stands in a home is not ours: it is left alone, shown as long as it is there,
              and never kept again.
            </p>
            <ul className="dialog-form-files">
              {forget.data.stillThere.map((path) => (
                <li key={path} className="mono" dir="ltr">
                  <MachineText text={path} />
                </li>
              ))}
            </ul>
            <div className="dialog-form-actions">
              <Button look="primary" onClick={onClose} autoFocus>
                Close
              </Button>
            </div>
          </>
        )}
      </form>
    </dialog>
  )
}

const WHAT =
  'Erase this session and its sub-agents from the archive, the index and your marks? What is still in a home is left alone, and not kept again.'
