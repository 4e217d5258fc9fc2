import '../../ui/frames/dialog-form.css'
import './move-dialog.css'
import type { MoveAnswer } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { type FormEvent, useId, useState } from 'react'
import { type MoveSubject, moveQuery, useMove } from '../../api/move.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { GoOn, PlannedWrites } from './planned-writes.tsx'

interface Asked {
  subject: MoveSubject
  to: string
}

/** Has a session, or all of its project, found in another folder: where to, what would be written, and then the command that goes on. */
export default function MoveDialog({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const titleId = useId()
  const [asked, setAsked] = useState<Asked | null>(null)
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
      {asked === null ? (
        <Where titleId={titleId} session={session} onAsk={setAsked} onClose={onClose} />
      ) : (
        <Preview
          titleId={titleId}
          sessionRef={session.key}
          asked={asked}
          onBack={() => setAsked(null)}
          onClose={onClose}
        />
      )}
    </dialog>
  )
}

interface WhereProps {
  titleId: string
  session: SessionSummary
  onAsk: (asked: Asked) => void
  onClose: () => void
}

/** Which folder, of those for which something speaks or any other; nothing is written yet. */
function Where({ titleId, session, onAsk, onClose }: WhereProps) {
  const [to, setTo] = useState('')
  const [isAll, setIsAll] = useState(false)
  const likely = useQuery(moveQuery({ kind: 'session', key: session.key }, null))
  const subject: MoveSubject = isAll
    ? { kind: 'project', key: session.project.key }
    : { kind: 'session', key: session.key }
  function ask(event: FormEvent) {
    event.preventDefault()
    if (to.trim() !== '') onAsk({ subject, to: to.trim() })
  }
  return (
    <form onSubmit={ask}>
      <h2 id={titleId}>Move to another folder</h2>
      <p>
        For a project that was moved or renamed: Gemini CLI looks for sessions by the folder it is started in.
        Copies are written there, what is here stays, and both are shown as one session.
      </p>
      <Likely answer={likely.data} isPending={likely.isPending} onChoose={setTo} />
      <label className="dialog-form-field">
        <span>Folder in which the project lies now</span>
        <input
          type="text"
          dir="ltr"
          value={to}
          onChange={(event) => setTo(event.target.value)}
          placeholder={session.project.path ?? '/home/ada/code/shop'}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label className="move-all">
        <input type="checkbox" checked={isAll} onChange={(event) => setIsAll(event.target.checked)} />
        <span>
          All sessions of <bdi>{session.project.name}</bdi>
        </span>
      </label>
      <div className="dialog-form-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={to.trim() === ''}>
          Show what would be written
        </Button>
      </div>
    </form>
  )
}

interface LikelyProps {
  answer: MoveAnswer | undefined
  isPending: boolean
  onChoose: (path: string) => void
}

function Likely({ answer, isPending, onChoose }: LikelyProps) {
  if (isPending) return <p role="status">Looking for likely folders…</p>
  if (answer === undefined || answer.targets.length === 0) return null
  return (
    <ul className="move-likely" aria-label="Likely folders">
      {answer.targets.map(({ path, evidence }) => (
        <li key={path}>
          <Button size="tiny" onClick={() => onChoose(path)}>
            <span className="mono" dir="ltr">
              <MachineText text={path} />
            </span>
          </Button>
          {evidence.map(({ kind, text }) => (
            <span key={kind}>{text}</span>
          ))}
        </li>
      ))}
    </ul>
  )
}

interface PreviewProps {
  titleId: string
  sessionRef: string
  asked: Asked
  onBack: () => void
  onClose: () => void
}

function Preview({ titleId, sessionRef, asked: { subject, to }, onBack, onClose }: PreviewProps) {
  const preview = useQuery(moveQuery(subject, to))
  const move = useMove(subject, to)
  const answer = move.data ?? preview.data
  const isDone = move.data !== undefined && move.data.written !== null
  const canWrite = answer !== undefined && answer.refused.length === 0 && !isDone
  return (
    <form method="dialog">
      <h2 id={titleId}>Move to another folder</h2>
      {preview.isPending && <p role="status">Looking at what would be written…</p>}
      {preview.isError && (
        <Failed
          what="This could not be asked."
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {answer !== undefined && <Subject answer={answer} />}
      {answer !== undefined && <PlannedWrites answer={answer} isDone={isDone} />}
      {isDone && <GoOn sessionRef={sessionRef} />}
      {isDone && (
        <p>
          To take it back: <code>gemini-dash move --undo {move.data?.written}</code>
        </p>
      )}
      {move.isError && <Notice tone="error">{move.error.message}</Notice>}
      <div className="dialog-form-actions">
        {!isDone && (
          <Button disabled={move.isPending} onClick={onBack}>
            Back
          </Button>
        )}
        <Button look={isDone ? 'primary' : undefined} disabled={move.isPending} onClick={onClose} autoFocus>
          {canWrite ? 'Cancel' : 'Close'}
        </Button>
        {canWrite && (
          <Button look="primary" disabled={move.isPending} onClick={() => move.mutate()}>
            {move.isPending ? 'Writing…' : 'Write these files'}
          </Button>
        )}
      </div>
    </form>
  )
}

/** How many sessions go where, and what speaks for it. */
function Subject({ answer: { sessions, to, targets } }: { answer: MoveAnswer }) {
  if (to === null) return null
  return (
    <p>
      {formatPlural(sessions, 'session')} to{' '}
      <span className="mono" dir="ltr">
        <MachineText text={to} />
      </span>
      . {targets.flatMap(({ evidence }) => evidence.map(({ text }) => text)).join(' ')}
    </p>
  )
}
