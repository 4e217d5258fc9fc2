import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FileChange } from 'gemini-sessions'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { FileCallList } from '../../content/file-calls/file-call-list.tsx'
import { FileDiffView } from '../../content/file-calls/file-diff-view.tsx'
import { fileHistoryLink } from '../../lib/address/page-searches.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Failed } from '../../ui/states/failed.tsx'

interface Props {
  path: string
  sessionRef: string
  sessionKey: string
  projectKey: string
  onJump: (messageKey: string, offset: number | null) => void
}

/** What the session did to one file: the net diff where it can be told, the calls in order, and the way to its history. */
export function FileDetail({ path, sessionRef, sessionKey, projectKey, onJump }: Props) {
  const { data, error, refetch } = useQuery(sessionAnswerQuery('files/change', sessionRef, { path }))
  if (error !== null)
    return <Failed what="The file’s calls could not be read." error={error} onRetry={refetch} />
  if (data === undefined) return <p className="loading-line">Reading the calls</p>
  const remark = remarkOf(data)
  return (
    <div className="file-detail">
      {remark !== null && <p className="files-touched-note">{remark}</p>}
      {data.net?.kind === 'diff' && <FileDiffView diff={data.net} />}
      <FileCallList
        calls={data.calls}
        hasDiffs={data.net === null}
        hereKey={sessionKey}
        sessionRef={sessionRef}
        onJump={onJump}
      />
      <p>
        <Link {...fileHistoryLink(path, projectKey)} className="link">
          History of this file in all sessions
        </Link>
      </p>
    </div>
  )
}

/** How the net diff came about, and why there is none. */
function remarkOf({ file, net, isContinuous }: FileChange): string | null {
  const changes = file.writes + file.edits
  if (changes === 0) return null
  if (net === null) return 'The whole contents are not recorded for every edit, so each is shown by itself.'
  if (changes === 1) return null
  const head = `What ${formatPlural(changes, 'change')} came to, from the first known content to the last.`
  return isContinuous === false
    ? `${head} Something else changed the file in between, which is part of it.`
    : head
}
