import './file-history-dialog.css'
import type { FileHistoryEntry, FileHistory as History } from '@gemini-dash/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fileHistoryQuery } from '../api/session.ts'
import { FileCallList } from '../content/file-calls.tsx'
import { MachineText } from '../content/machine-text.tsx'
import { formatCount, formatDateTime, formatPlural } from '../lib/figures.ts'
import { Button, CopyButton } from '../ui/buttons/button.tsx'
import { Segmented } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TimeText } from '../ui/figures.tsx'
import { Failed, SkeletonRows } from '../ui/states.tsx'

const SHOWS = [
  { value: 'all', label: 'All' },
  { value: 'changes', label: 'Changes' },
  { value: 'reads', label: 'Reads' },
] as const
type Show = (typeof SHOWS)[number]['value']

interface Props {
  path: string
  projectKey: string
  onClose: () => void
}

/** Everything that the known sessions did to one file, newest first, beside the session that it was asked in. */
export default function FileHistoryDialog({ path, projectKey, onClose }: Props) {
  const [show, setShow] = useState<Show>('all')
  const asked = { project: projectKey, show: show === 'all' ? undefined : show }
  const list = useInfiniteQuery(fileHistoryQuery(path, asked))
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const first = data?.pages[0]
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  const isNone = first !== undefined && entries.length === 0 && !hasNextPage
  return (
    <Dialog title="History of this file in all sessions" shape="side" onClose={onClose}>
      <div className="file-history">
        <div className="file-history-head">
          <p className="mono" dir="ltr">
            <MachineText text={first?.name ?? path} />
          </p>
          <div className="file-history-actions">
            <Segmented label="Show" value={show} options={SHOWS} onChange={setShow} />
            <CopyButton text={first?.path ?? path} label="Copy path" />
          </div>
        </div>
        {error !== null && (
          <Failed what="Couldn’t load the history of this file." error={error} onRetry={refetch} />
        )}
        {data === undefined && error === null && <SkeletonRows count={6} label="Loading the history" />}
        {first !== undefined && (!isNone || !isIndexed(first)) && (
          <p className="dim file-history-sum">{sumOf(first, show)}</p>
        )}
        {isNone && <p className="file-history-none">{noneText(show)}</p>}
        <ol className="history-entries">
          {entries.map((entry, index) => (
            <li key={`${entry.session.key} ${entry.messageKey}`}>
              <HistoryEntry entry={entry} before={entries[index - 1]} />
            </li>
          ))}
        </ol>
        {hasNextPage && (
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            Show older
          </Button>
        )}
      </div>
    </Dialog>
  )
}

function noneText(show: Show): string {
  return `No session names this file${show === 'all' ? '' : ' in such a call'}. Shell commands are not looked into.`
}

function isIndexed({ coverage }: History): boolean {
  return coverage.filesTotal > 0 && coverage.filesDone >= coverage.filesTotal
}

function sumOf(history: History, show: Show): string {
  const { total, sessionTotal, coverage } = history
  const soFar = isIndexed(history)
    ? ''
    : `, ${formatCount(coverage.filesDone)} of ${formatPlural(coverage.filesTotal, 'file')} indexed so far`
  const messages = formatPlural(total, 'message')
  return `${show === 'all' ? messages : `Up to ${messages}`} in ${formatPlural(sessionTotal, 'session')}${soFar}`
}

interface HistoryEntryProps {
  entry: FileHistoryEntry
  /** The entry above it; undefined for the first. */
  before: FileHistoryEntry | undefined
}

/** One message that touched the file: its session and what was asked, where these change, the calls and their diffs. */
function HistoryEntry({ entry, before }: HistoryEntryProps) {
  const { session, messageKey, timestamp, prompt, calls } = entry
  const isNewSession = before?.session.key !== session.key
  const isNewPrompt = isNewSession || before?.prompt?.messageKey !== prompt?.messageKey
  return (
    <article className="history-entry">
      {isNewSession && (
        <h3>
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
        </h3>
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
