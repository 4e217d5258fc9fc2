import './keep-notice.css'
import type { KeepStatus } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { doctorNotesQuery, healthQuery, keepQuery, useKeepNow } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { focusMain, keptChoice } from '../../lib/browser.ts'
import { formatCount } from '../../lib/figures.ts'
import { useDelayed } from '../../lib/list-hooks.ts'
import { describeKept, describeLook, keepLines } from '../../lib/session-words.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states.tsx'

/** Sessions whose notice was put away; more are forgotten, the oldest first. */
const MOST_REMEMBERED = 200

/** What was put away stays away, in this browser: `week`, or the key of a session. */
const putAway = keptChoice<readonly string[]>(
  'gemini-dash.keep-notices',
  (kept) => (kept ?? '').split(' ').filter((name) => name !== ''),
  (names) => (names.length === 0 ? null : names.slice(-MOST_REMEMBERED).join(' ')),
)

/** Rows wait so long for the notice above them. */
const PATIENCE_MS = 500

interface Props {
  /** What is put away with it. */
  name: string
  /** What goes, and when; in a sentence. */
  children: ReactNode
  /** On the button: `Archive them`. */
  action: string
}

/** Says what Gemini CLI is about to delete until it is answered, and offers to archive it: nothing where all is archived, or it was put away. */
export function KeepNotice({ name, children, action }: Props) {
  const away = useSyncExternalStore(putAway.subscribe, putAway.get)
  const [isAsked, setIsAsked] = useState(false)
  const isAway = away.includes(name)
  const { data: status } = useQuery({ ...keepQuery(), enabled: !isAway })
  const keep = useKeepNow({ isTurnedOn: true })
  if (isAway || status === undefined || status.folder === null) return null
  if (!isAsked && status.enabled) return null
  const lines = keepLines(status.folder)
  const close = (words: string) => (
    <Button
      look="quiet"
      onClick={() => {
        putAway.set([...away, name])
        focusMain()
      }}
    >
      {words}
    </Button>
  )
  const start = () => {
    setIsAsked(true)
    keep.mutate()
  }
  return (
    <div className="keep-notice">
      <Notice tone={isAsked && (!keep.isSuccess || status.problem === null) ? 'info' : 'warning'}>
        {isAsked ? (
          <Outcome status={status} isDone={keep.isSuccess} error={keep.error} onRetry={start}>
            {close('Close')}
          </Outcome>
        ) : (
          <div className="keep-notice-line">
            <p>{children}</p>
            <Button title={lines.join(' ')} onClick={start}>
              {action}
            </Button>
            {close('Dismiss')}
          </div>
        )}
        {isAsked &&
          lines.map((line) => (
            <p key={line} className="keep-notice-more">
              <MachineText text={line} />
            </p>
          ))}
      </Notice>
    </div>
  )
}

/** The same over the list of sessions. `isKnown`: whether there is one is known, so that it pushes nothing down. */
export function useDeletionNotice(): { isKnown: boolean; notice: ReactNode } {
  const notes = useQuery(doctorNotesQuery())
  const health = useQuery(healthQuery())
  const due = notes.data?.dueSessions ?? 0
  const status = useQuery({ ...keepQuery(), enabled: due > 0 })
  const isLate = useDelayed(true, PATIENCE_MS)
  // while the disk is read for the first time it may come and change: nobody waits for it
  const isReading = health.data !== undefined && health.data.index.state !== 'ready'
  const isKnown =
    isLate || isReading || [notes, health, ...(due > 0 ? [status] : [])].every(({ isPending }) => !isPending)
  if (due === 0 || health.data === undefined) return { isKnown, notice: null }
  const { before, after } = dueWords(health.data.cli.byRules)
  const notice = (
    <KeepNotice name="week" action={due === 1 ? 'Archive it' : 'Archive them'}>
      {before}
      {formatCount(due)} of these sessions{after} on its next start or within a week.{' '}
      <Link to="/settings/{-$section}" params={{ section: 'storage' }} hash="retention" className="link">
        Show them
      </Link>
    </KeepNotice>
  )
  return { isKnown, notice }
}

interface OutcomeProps {
  status: KeepStatus
  isDone: boolean
  error: Error | null
  onRetry: () => void
  /** Puts the notice away. */
  children: ReactNode
}

/** What became of it: on its way, kept, or why not. */
function Outcome({ status, isDone, error, onRetry, children }: OutcomeProps) {
  if (error !== null) {
    return (
      <p role="alert">
        <b>Nothing was archived.</b> <MachineText text={error.message} />{' '}
        <Button size="tiny" onClick={onRetry}>
          Try again
        </Button>{' '}
        {children}
      </p>
    )
  }
  if (!isDone) return <p role="status">{describeLook(status)}</p>
  return (
    <p role="status">
      {status.problem === null ? (
        <>
          <b>Archived:</b> {describeKept(status)}.
        </>
      ) : (
        <MachineText text={status.problem} />
      )}{' '}
      <Link to="/settings/{-$section}" params={{ section: 'storage' }} hash="keep" className="link">
        The archive
      </Link>{' '}
      {children}
    </p>
  )
}
