import './file-calls.css'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { Link } from '@tanstack/react-router'
import type { FileCall, ToolOutput } from 'gemini-sessions'
import { useMemo, useState } from 'react'
import { classNames } from '../lib/browser.ts'
import { formatDateTime } from '../lib/figures.ts'
import { LineChangeFigure, TimeText } from '../ui/figures.tsx'
import { buildPatch, DiffView } from './build-patch.tsx'
import { SupersededWord } from './superseded-word.tsx'

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

const FIRST_LINES = 40
const MAX_LINES = 5_000

/** What a change of a file came to. */
function FileDiffView({ diff }: { diff: Extract<ToolOutput, { kind: 'diff' }> }) {
  const [isAll, setIsAll] = useState(false)
  const patch = useMemo(() => buildPatch(diff), [diff])
  if (patch === null)
    return <p className="dim">The two versions are not recorded, or too large to be compared here.</p>
  const lineCount = patch.split('\n').length
  return (
    <div className="file-diff">
      <DiffView
        patch={patch}
        name={diff.fileName}
        maxLines={isAll ? MAX_LINES : FIRST_LINES}
        layout="unified"
        hasNumbers
      />
      {lineCount > FIRST_LINES && !isAll && (
        <button type="button" className="link file-diff-more" onClick={() => setIsAll(true)}>
          Show all {lineCount} lines
        </button>
      )}
      {diff.cut !== undefined && (
        <p className="dim">Shortened here. The message in the conversation has the full text.</p>
      )}
    </div>
  )
}
