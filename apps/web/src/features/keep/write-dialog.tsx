import type { MoveAnswer, RecoverAnswer, Shell } from '@gemini-dash/api'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { resumeQuery } from '../../api/session.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatSize } from '../../lib/figures.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ShellCommand } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed, Notice } from '../../ui/states.tsx'

type Answer = RecoverAnswer | MoveAnswer

interface Props<Written extends Answer> {
  title: string
  /** Preview of the files to write, and the mutation that writes them. */
  preview: UseQueryResult<Written>
  writing: { data: Written | undefined; error: Error | null; isPending: boolean; mutate: () => void }
  /** The session that can be resumed afterwards. */
  sessionRef: string
  onBack?: () => void
  /** Additional content before and after writing. */
  details?: (answer: Written) => ReactNode
  undo?: (journalId: string) => ReactNode
  onClose: () => void
}

/** Previews what would be written into a Gemini folder; once written, shows the command to resume. */
export function WriteDialog<Written extends Answer>(props: Props<Written>) {
  const { title, preview, writing, sessionRef, onBack, details, undo, onClose } = props
  const answer = writing.data ?? preview.data
  const written = writing.data?.written ?? null
  const isDone = written !== null
  const canWrite = answer !== undefined && answer.refused.length === 0 && !isDone
  const { isPending } = writing
  const actions = (
    <>
      {onBack !== undefined && !isDone && (
        <Button disabled={isPending} onClick={onBack}>
          Back
        </Button>
      )}
      <Button look={isDone ? 'primary' : undefined} disabled={isPending} onClick={onClose}>
        {canWrite ? 'Cancel' : isDone ? 'Done' : 'Close'}
      </Button>
      {canWrite && (
        <Button look="primary" disabled={isPending} onClick={writing.mutate}>
          {isPending ? 'Writing…' : 'Write these files'}
        </Button>
      )}
    </>
  )
  return (
    <Dialog title={title} actions={actions} error={writing.error} isBusy={isPending} onClose={onClose}>
      {preview.isPending && <p role="status">Looking at what would be written…</p>}
      {preview.isError && (
        <Failed
          what="This could not be asked."
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {answer !== undefined && details?.(answer)}
      {answer !== undefined && <PlannedWrites answer={answer} isDone={isDone} />}
      {isDone && <GoOn sessionRef={sessionRef} />}
      {written !== null && undo?.(written)}
    </Dialog>
  )
}

/** The new files to write into a Gemini folder, or already written, with notes. */
function PlannedWrites({
  answer: { home, writes, refused, notes },
  isDone,
}: {
  answer: Answer
  isDone: boolean
}) {
  return (
    <>
      {refused.map(({ code, message }) => (
        <Notice key={`${code} ${message}`} tone="warning">
          {message}
        </Notice>
      ))}
      {writes.length > 0 && (
        <>
          <p role="status">
            {isDone ? 'Written, and read back, in ' : 'New files, and nothing else, in '}
            <span className="mono" dir="ltr">
              <MachineText text={home ?? ''} />
            </span>
          </p>
          <ul className="dialog-files">
            {writes.map(({ path, sizeBytes }) => (
              <li key={path}>
                <span className="mono" dir="ltr">
                  <MachineText text={path} />
                </span>{' '}
                <span className="tabular">{formatSize(sizeBytes)}</span>
              </li>
            ))}
          </ul>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </>
      )}
    </>
  )
}

/** The command that resumes a written session. */
function GoOn({ sessionRef }: { sessionRef: string }) {
  const shell: Shell = /Win/.test(navigator.platform) ? 'powershell' : 'posix'
  const { data, error, refetch } = useQuery(resumeQuery(sessionRef, shell))
  if (error !== null)
    return (
      <Failed what="The resume command couldn’t be created." error={error} onRetry={() => void refetch()} />
    )
  return data?.command ? <ShellCommand line={data.command} /> : null
}
