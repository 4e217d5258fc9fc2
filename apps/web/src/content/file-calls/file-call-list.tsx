import { SupersededWord } from '../text/superseded-word.tsx'
import './file-calls.css'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { Link } from '@tanstack/react-router'
import type { FileCall } from 'gemini-sessions'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatDateTime } from '../../lib/figures/format.ts'
import { LineChangeFigure } from '../../ui/figures/line-change.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { FileDiffView } from './file-diff-view.tsx'

interface Props {
  calls: readonly FileCall[]
  /** Each edit with its own diff. */
  hasDiffs: boolean
  /** The session that is open: its calls are jumped to, others have a page of their own. */
  hereKey: string | null
  sessionRef: string
  onJump: (messageKey: string, offset: number | null) => void
}

const ACTION_WORDS: Record<FileCall['action'], string> = {
  read: 'read',
  searched: 'looked through',
  wrote: 'wrote',
  edited: 'edited',
  named: 'was given',
}
const OUTCOME_WORDS: Record<FileCall['outcome'], string | null> = {
  done: null,
  failed: 'failed',
  declined: 'declined',
  unanswered: 'no result recorded',
}

/** What calls did to a file, one line each, which leads to the call. */
export function FileCallList({ calls, hasDiffs, hereKey, sessionRef, onJump }: Props) {
  return (
    <ol className="file-calls">
      {calls.map((call, index) => (
        <li key={`${call.sessionKey} ${call.messageKey} ${call.callId} ${index}`}>
          <div className={classNames('file-call', call.superseded !== null && 'superseded')}>
            {call.sessionKey === hereKey ? (
              <Link
                to="/s/$key"
                params={{ key: sessionRef }}
                hash={`m-${call.messageKey}`}
                className="link"
                title={call.tool}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return
                  event.preventDefault()
                  onJump(call.messageKey, call.offset)
                }}
              >
                {toolLabel(call.tool)}
              </Link>
            ) : (
              <Link
                to="/s/$key"
                params={{ key: call.sessionKey }}
                hash={`m-${call.messageKey}`}
                className="link"
                title={call.tool}
              >
                {toolLabel(call.tool)}
              </Link>
            )}
            <span>{ACTION_WORDS[call.action]}</span>
            {OUTCOME_WORDS[call.outcome] !== null && (
              <b className={call.outcome === 'failed' ? 'tone-error' : 'dim'}>
                {OUTCOME_WORDS[call.outcome]}
              </b>
            )}
            {call.diff?.kind === 'diff' && call.outcome === 'done' && <LineChangeFigure {...call.diff} />}
            {call.isAgent && <span className="dim">by a sub-agent</span>}
            {call.superseded !== null && <SupersededWord cause={call.superseded} className="dim" />}
            {call.timestamp !== null && (
              <TimeText time={call.timestamp} className="dim file-call-time">
                {formatDateTime(call.timestamp)}
              </TimeText>
            )}
          </div>
          {hasDiffs && call.diff?.kind === 'diff' && <FileDiffView diff={call.diff} />}
        </li>
      ))}
    </ol>
  )
}
