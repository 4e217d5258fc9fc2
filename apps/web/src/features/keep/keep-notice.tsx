import './keep-notice.css'
import type { KeepStatus } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { keepQuery, useKeepNow } from '../../api/keep.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { focusMain } from '../../lib/browser/focus-main.ts'
import { keptChoice } from '../../lib/browser/kept-choice.ts'
import { describeKept, describeLook, keepLines } from '../../lib/session/keep-words.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** Sessions whose notice was put away; more are forgotten, the oldest first. */
const MOST_REMEMBERED = 200

/** What was put away stays away, in this browser: `week`, or the key of a session. */
const putAway = keptChoice<readonly string[]>(
  'gemini-dash.keep-notices',
  (kept) => (kept ?? '').split(' ').filter((name) => name !== ''),
  (names) => (names.length === 0 ? null : names.slice(-MOST_REMEMBERED).join(' ')),
)

interface Props {
  /** What is put away with it. */
  name: string
  /** What goes, and when; in a sentence. */
  children: ReactNode
  /** On the button: `Keep these`. */
  action: string
}

/** Says once what Gemini CLI is about to delete, and offers to keep it: nothing where all is kept, or it was put away. */
export default function KeepNotice({ name, children, action }: Props) {
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
      size="tiny"
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
      <Notice tone={keep.isSuccess && status.problem !== null ? 'warning' : 'info'}>
        {isAsked ? (
          <Outcome status={status} isDone={keep.isSuccess} error={keep.error} onRetry={start}>
            {close('Close')}
          </Outcome>
        ) : (
          <p>
            {children}{' '}
            <span className="keep-notice-actions">
              <Button size="tiny" title={lines.join(' ')} onClick={start}>
                {action}
              </Button>
              {close('Not now')}
            </span>
          </p>
        )}
        {isAsked &&
          lines.map((line) => (
            <p key={line} className="keep-notice-line">
              <MachineText text={line} />
            </p>
          ))}
      </Notice>
    </div>
  )
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
        <b>Nothing was kept.</b> <MachineText text={error.message} />{' '}
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
          <b>Kept:</b> {describeKept(status)}.
        </>
      ) : (
        <MachineText text={status.problem} />
      )}{' '}
      <Link to="/doctor" hash="keep" className="link">
        The archive
      </Link>{' '}
      {children}
    </p>
  )
}
