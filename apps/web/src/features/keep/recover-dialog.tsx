import '../../ui/frames/dialog-form.css'
import { useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { useId } from 'react'
import { recoverPreviewQuery, useRecover } from '../../api/recover.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { GoOn, PlannedWrites } from './planned-writes.tsx'

/** What would bring a session back into its home, shown before it is done; then the command that goes on with it. */
export default function RecoverDialog({
  session,
  onClose,
}: {
  session: SessionSummary
  onClose: () => void
}) {
  const titleId = useId()
  const preview = useQuery(recoverPreviewQuery(session.key))
  const recover = useRecover(session.key)
  const answer = recover.data ?? preview.data
  const isDone = recover.data !== undefined && recover.data.written !== null
  const canWrite = answer !== undefined && answer.refused.length === 0 && !isDone
  return (
    <dialog
      className="dialog-form"
      aria-labelledby={titleId}
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <form method="dialog">
        <h2 id={titleId}>Recover this session</h2>
        {preview.isPending && <p role="status">Looking at what would be written…</p>}
        {preview.isError && (
          <Failed
            what="This could not be asked."
            error={preview.error}
            onRetry={() => void preview.refetch()}
          />
        )}
        {answer !== undefined && <PlannedWrites answer={answer} isDone={isDone} />}
        {isDone && <GoOn sessionRef={session.key} />}
        {recover.isError && <Notice tone="error">{recover.error.message}</Notice>}
        <div className="dialog-form-actions">
          <Button
            look={isDone ? 'primary' : undefined}
            disabled={recover.isPending}
            onClick={onClose}
            autoFocus
          >
            {canWrite ? 'Cancel' : 'Close'}
          </Button>
          {canWrite && (
            <Button look="primary" disabled={recover.isPending} onClick={() => recover.mutate()}>
              {recover.isPending ? 'Writing…' : 'Write these files'}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  )
}
