import './keep.css'
import type { KeepStatus } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { doctorNotesQuery, healthQuery, keepQuery, useKeepNow } from '../../api/queries.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { focusMain } from '../../lib/browser.ts'
import { formatCount } from '../../lib/figures.ts'
import { useDelayed } from '../../lib/list-hooks.ts'
import { keptChoice } from '../../lib/preferences.ts'
import { describeKept, describeLook, keepLines } from '../../lib/session-words.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states.tsx'

/** Remembered dismissals; the oldest are dropped. */
const MOST_REMEMBERED = 200

/** Dismissed notices in this browser: `week`, or the key of a session. */
const putAway = keptChoice<readonly string[]>(
  'gemini-dash.keep-notices',
  (kept) => (kept ?? '').split(' ').filter((name) => name !== ''),
  (names) => (names.length === 0 ? null : names.slice(-MOST_REMEMBERED).join(' ')),
)

/** How long rows wait for the notice above them. */
const PATIENCE_MS = 500

interface Props {
  /** Identifies the notice for its dismissal. */
  name: string
  /** What will be deleted and when, as a sentence. */
  children: ReactNode
  /** Button label: `Archive them`. */
  action: string
}

/**
 * Warns about upcoming deletions by Gemini CLI and offers to archive the sessions; nothing if everything is archived or the notice was
 * dismissed.
 */
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
            <p key={line} className="keep-notice-more label">
              <MachineText text={line} />
            </p>
          ))}
      </Notice>
    </div>
  )
}

/** The same for the session list. `isKnown`: rows wait for this, so that a late notice does not push them down. */
export function useDeletionNotice(): { isKnown: boolean; notice: ReactNode } {
  const notes = useQuery(doctorNotesQuery())
  const health = useQuery(healthQuery())
  const due = notes.data?.dueSessions ?? 0
  const status = useQuery({ ...keepQuery(), enabled: due > 0 })
  const isLate = useDelayed(true, PATIENCE_MS)
  // may change during the first scan, which the rows do not wait for
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
  /** Button that dismisses the notice. */
  children: ReactNode
}

/** Result: in progress, archived, or the error. */
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
