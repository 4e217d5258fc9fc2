import type { KeepStatus } from '@gemini-dash/api'
import { useState } from 'react'
import { useKeepChange, useKeepNow } from '../../../api/keep.ts'
import { formatPlural, formatSize } from '../../../lib/figures/format.ts'
import { useHeldFocus } from '../../../lib/hooks/use-held-focus.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Notice } from '../../../ui/states/notice.tsx'

/** Turns keeping on and off, looks now, and erases what was kept. */
export function KeepSwitch({ status }: { status: KeepStatus }) {
  const change = useKeepChange()
  const look = useKeepNow()
  const [isErasing, setIsErasing] = useState(false)
  const { enabled, files, running, homes } = status
  const around = useHeldFocus<HTMLDivElement>()
  const hasHome = homes.some(({ exists }) => exists)
  const isAnyKept = homes.some(({ kept }) => kept)
  const isBusy = change.isPending || look.isPending
  // what was asked for last counts
  const error = look.submittedAt > change.submittedAt ? look.error : change.error
  return (
    <div className="finding" ref={around}>
      {isErasing ? (
        <EraseQuestion
          status={status}
          isPending={change.isPending}
          onErase={() => change.mutate({ erase: true }, { onSettled: () => setIsErasing(false) })}
          onCancel={() => setIsErasing(false)}
        />
      ) : (
        <div className="keep-actions">
          {!enabled && (
            <Button
              look="primary"
              disabled={isBusy || !hasHome}
              onClick={() => change.mutate({ enabled: true })}
            >
              Keep every session
            </Button>
          )}
          {isAnyKept && (
            <>
              <Button disabled={isBusy || running !== null || !hasHome} onClick={() => look.mutate()}>
                Keep now
              </Button>
              <Button disabled={isBusy} onClick={() => change.mutate({ enabled: false })}>
                Stop
              </Button>
            </>
          )}
          {files > 0 && (
            <Button look="quiet" disabled={isBusy} onClick={() => setIsErasing(true)}>
              Erase the archive…
            </Button>
          )}
          {!hasHome && <p className="dim">There is no home to keep anything of.</p>}
        </div>
      )}
      {error !== null && <Notice tone="error">{error.message}</Notice>}
    </div>
  )
}

interface EraseProps {
  status: KeepStatus
  isPending: boolean
  onErase: () => void
  onCancel: () => void
}

/** Asked twice: what is lost, and then once more with its number. */
function EraseQuestion({ status, isPending, onErase, onCancel }: EraseProps) {
  const [isSure, setIsSure] = useState(false)
  const { sessions, onlyHere, storedBytes } = status
  const loss =
    onlyHere === 0
      ? 'All of it is still in a home.'
      : `Of ${formatPlural(onlyHere, 'session')} it holds the only copy, in whole or in part.`
  return (
    <fieldset className="keep-erase" aria-label="Erase the archive">
      <p>
        {isSure ? (
          <b>
            {onlyHere === 0
              ? 'It cannot be brought back.'
              : `${formatPlural(onlyHere, 'session')} will be gone for good. It cannot be brought back.`}
          </b>
        ) : (
          <>
            Erase the archive of {formatPlural(sessions, 'session')} ({formatSize(storedBytes)}), and keep
            nothing any more? <b>{loss}</b>
          </>
        )}
      </p>
      <div className="keep-actions">
        <Button
          key={String(isSure)}
          disabled={isPending}
          onClick={() => (isSure ? onErase() : setIsSure(true))}
        >
          {isSure ? (isPending ? 'Erasing…' : 'Erase it for good') : 'Erase…'}
        </Button>
        <Button look="quiet" disabled={isPending} onClick={onCancel} autoFocus>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}
