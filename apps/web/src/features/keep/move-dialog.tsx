import './keep.css'
import type { MoveAnswer } from '@gemini-dash/api'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { useState } from 'react'
import { type MoveSubject, moveQuery, useMove } from '../../api/usage.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatPlural } from '../../lib/figures.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/states.tsx'
import { WriteDialog } from './write-dialog.tsx'

const TITLE = 'Move to another folder'

interface Asked {
  subject: MoveSubject
  to: string
}

/**
 * Moves a session or its whole project to another folder: choice of the folder, preview of the files to write, and the command to resume.
 */
export default function MoveDialog({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isShown, setIsShown] = useState(false)
  const ask = (next: Asked) => {
    setAsked(next)
    setIsShown(true)
  }
  // going back keeps the input
  if (asked === null || !isShown)
    return <Where session={session} asked={asked} onAsk={ask} onClose={onClose} />
  return <Preview sessionRef={session.key} asked={asked} onBack={() => setIsShown(false)} onClose={onClose} />
}

interface WhereProps {
  session: SessionSummary
  /** The previous input; null if none. */
  asked: Asked | null
  onAsk: (asked: Asked) => void
  onClose: () => void
}

/** Choice of a folder, suggested or typed; nothing is written yet. */
function Where({ session, asked, onAsk, onClose }: WhereProps) {
  const [to, setTo] = useState(asked?.to ?? '')
  const [isAll, setIsAll] = useState(asked?.subject.kind === 'project')
  const likely = useQuery(moveQuery({ kind: 'session', key: session.key }, null))
  const subject: MoveSubject = isAll
    ? { kind: 'project', key: session.project.key }
    : { kind: 'session', key: session.key }
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" look="primary" disabled={to.trim() === ''}>
        Preview
      </Button>
    </>
  )
  return (
    <Dialog
      title={TITLE}
      form={{
        onSubmit: (event) => {
          event.preventDefault()
          if (to.trim() !== '') onAsk({ subject, to: to.trim() })
        },
      }}
      actions={actions}
      onClose={onClose}
    >
      <p>
        For a project that was moved or renamed: Gemini CLI looks for sessions by the folder it is started in.
        Copies the session there. The original stays; both appear as one.
      </p>
      <Likely likely={likely} onChoose={setTo} />
      <label className="dialog-field">
        <span>New project folder</span>
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
    </Dialog>
  )
}

interface LikelyProps {
  likely: UseQueryResult<MoveAnswer>
  onChoose: (path: string) => void
}

function Likely({ likely: { data: answer, error, isPending, refetch }, onChoose }: LikelyProps) {
  if (error !== null && answer === undefined)
    return (
      <Failed
        what="Likely folders could not be looked for."
        error={error}
        onRetry={() => void refetch()}
        stillWorks="Any folder can be written below."
      />
    )
  if (isPending) return <p role="status">Looking for likely folders…</p>
  if (answer === undefined || answer.targets.length === 0) return null
  return (
    <ul className="move-likely label" aria-label="Likely folders">
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
  sessionRef: string
  asked: Asked
  onBack: () => void
  onClose: () => void
}

function Preview({ sessionRef, asked: { subject, to }, onBack, onClose }: PreviewProps) {
  return (
    <WriteDialog
      title={TITLE}
      preview={useQuery(moveQuery(subject, to))}
      writing={useMove(subject, to)}
      sessionRef={sessionRef}
      onBack={onBack}
      details={(answer) => <Subject answer={answer} />}
      undo={(journalId) => (
        <p>
          To take it back: <code>gemini-dash move --undo {journalId}</code>
        </p>
      )}
      onClose={onClose}
    />
  )
}

/** How many sessions move where, and the evidence for it. */
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
