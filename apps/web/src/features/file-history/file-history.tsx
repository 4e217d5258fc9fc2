import './file-history.css'
import type { FileHistoryEntry, FileHistory as History } from '@gemini-dash/api'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { hitCountQuery } from '../../api/search.ts'
import { fileHistoryQuery } from '../../api/session/session.ts'
import { FileCallList } from '../../content/file-calls/file-call-list.tsx'
import { MachineText } from '../../content/text/machine-text.tsx'
import { choiceHandlers, optionsOf, valuesOf } from '../../lib/actions/choice-actions.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import { FILE_SHOW_LABELS, type FileSearch, fileHistoryLink } from '../../lib/address/page-searches.ts'
import { copyText } from '../../lib/browser/copy-text.ts'
import { sayCopied } from '../../lib/browser/say.ts'
import { formatCount, formatDateTime, formatPlural } from '../../lib/figures/format.ts'
import { useShownPages } from '../../lib/hooks/use-shown-pages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'

interface Props {
  path: string
  search: FileSearch
  onShow: (show: FileSearch['show']) => void
  /** So many pages of it are to be shown. */
  onMore: (pages: number) => void
}

const SHOWS = optionsOf(FILE_SHOW_LABELS)

/** Everything that the known sessions did to one file, newest first. */
export function FileHistoryView({ path, search, onShow, onMore }: Props) {
  const list = useInfiniteQuery(fileHistoryQuery(path, { project: search.project, show: search.show }))
  const { data, error, refetch, hasNextPage, isFetchingNextPage } = list
  useShownPages(list, search.pages)
  const first = data?.pages[0]
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  const fullPath = first?.path ?? path
  const name = first?.name ?? path
  const choose = (show: keyof typeof FILE_SHOW_LABELS) => onShow(show === 'all' ? undefined : show)
  useActions({
    ...choiceHandlers('show', valuesOf(FILE_SHOW_LABELS), choose),
    copyPath: () => void copyText(fullPath).then(sayCopied),
  })
  const isNone = first !== undefined && entries.length === 0 && !hasNextPage
  const isOfNoProject = search.project === undefined && isRelative(path)
  return (
    <div className="file-history">
      <header className="file-history-head">
        <div>
          <h1 dir="ltr">
            <MachineText text={name} />
          </h1>
          {fullPath !== name && (
            <p className="mono dim file-history-path" dir="ltr">
              <MachineText text={fullPath} />
            </p>
          )}
        </div>
        <div className="file-history-actions">
          <Segmented label="Show" value={search.show ?? 'all'} options={SHOWS} onChange={choose} />
          <CopyButton text={fullPath} label="Copy path" />
        </div>
      </header>
      {error !== null && (
        <Failed what="The history of this file could not be read." error={error} onRetry={refetch} />
      )}
      {data === undefined && error === null && (
        <SkeletonRows count={6} label="Looking through all sessions" />
      )}
      {first !== undefined && (!isNone || !isIndexed(first)) && (
        <p className="dim file-history-sum">{sumOf(first, search.show)}</p>
      )}
      {isNone && isOfNoProject && <WhichProject path={path} />}
      {isNone && !isOfNoProject && <p className="file-history-none">{noneText(search)}</p>}
      <ol className="history-entries">
        {entries.map((entry, index) => (
          <li key={`${entry.session.key} ${entry.messageKey}`}>
            <HistoryEntry entry={entry} before={entries[index - 1]} />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button onClick={() => onMore((data?.pages.length ?? 1) + 1)} disabled={isFetchingNextPage}>
          Show older
        </Button>
      )}
    </div>
  )
}

function isRelative(path: string): boolean {
  return !/^([\\/]|[A-Za-z]:)/.test(path)
}

function noneText({ show }: FileSearch): string {
  return `No session names this file${show === undefined ? '' : ' in such a call'}. Shell commands are not looked into.`
}

function isIndexed({ coverage }: History): boolean {
  return coverage.filesTotal > 0 && coverage.filesDone >= coverage.filesTotal
}

function sumOf(history: History, show: FileSearch['show']): string {
  const { total, sessionTotal, coverage } = history
  const soFar = isIndexed(history)
    ? ''
    : `, ${formatCount(coverage.filesDone)} of ${formatPlural(coverage.filesTotal, 'file')} indexed so far`
  const messages = formatPlural(total, 'message')
  return `${show === undefined ? messages : `Up to ${messages}`} in ${formatPlural(sessionTotal, 'session')}${soFar}`
}

/** A path that is relative may be a file of several projects: which of them is meant. Where only one has it, that one. */
function WhichProject({ path }: { path: string }) {
  const { data, error, refetch } = useQuery(hitCountQuery(`file:"${path.replaceAll('"', '')}"`, undefined))
  if (error !== null)
    return <Failed what="The projects could not be asked for." error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={3} label="Looking for its project" />
  const projects = data.facets.project
  const [first, second] = projects
  if (first === undefined) return <p className="file-history-none">No session names this file.</p>
  if (second === undefined) return <Navigate {...fileHistoryLink(path, first.value)} replace />
  return (
    <>
      <p className="file-history-none">Several projects have a file of this name.</p>
      <ul className="sheet file-projects">
        {projects.map(({ value, label, count }) => (
          <li key={value}>
            <Link {...fileHistoryLink(path, value)} className="file-choice-line" dir="auto">
              <span>{label ?? value}</span>
              <small>{formatPlural(count, 'message')}</small>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
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
