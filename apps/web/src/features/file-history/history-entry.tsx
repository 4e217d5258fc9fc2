import type { FileHistoryEntry } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { FileCallList } from '../../content/file-calls/file-call-list.tsx'
import { formatDateTime } from '../../lib/figures/format.ts'
import { TimeText } from '../../ui/figures/time-text.tsx'

interface Props {
  entry: FileHistoryEntry
  /** The entry above it; undefined for the first. */
  before: FileHistoryEntry | undefined
}

/** One message that touched the file: its session and what was asked, where these change, the calls and their diffs. */
export function HistoryEntry({ entry, before }: Props) {
  const { session, messageKey, timestamp, prompt, calls } = entry
  const isNewSession = before?.session.key !== session.key
  const isNewPrompt = isNewSession || before?.prompt?.messageKey !== prompt?.messageKey
  return (
    <article className="history-entry">
      {isNewSession && (
        <h2>
          <Link to="/s/$key" params={{ key: session.key }} hash={`m-${messageKey}`} dir="auto">
            {session.title || 'Untitled session'}
          </Link>
          <span className="dim">
            {session.project.name}
            {session.kind === 'subagent' && ', sub-agent'}
          </span>
          {timestamp !== null && (
            <TimeText time={timestamp} className="dim">
              {formatDateTime(timestamp)}
            </TimeText>
          )}
        </h2>
      )}
      {prompt !== null && isNewPrompt && (
        <p className="history-prompt" dir="auto">
          <span className="visually-hidden">You asked: </span>
          <Link to="/s/$key" params={{ key: session.key }} hash={`m-${prompt.messageKey}`}>
            {prompt.text.trim().split('\n', 1)[0]}
          </Link>
        </p>
      )}
      <FileCallList calls={calls} hasDiffs hereKey={null} sessionRef={session.key} onJump={() => {}} />
    </article>
  )
}
