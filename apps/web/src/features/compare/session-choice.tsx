import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { useDeferredValue } from 'react'
import { sessionsQuery } from '../../api/sessions.ts'
import type { CompareSearch } from '../../lib/address/page-searches.ts'
import { formatCost, formatDateTime, formatTokens } from '../../lib/figures/format.ts'
import { useSettlingText } from '../../lib/hooks/use-settling-text.ts'
import { recordedTokens } from '../../lib/session/recorded-tokens.ts'
import { TitleField } from '../../ui/controls/title-field.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'

interface Props {
  /** Only sessions of this project; undefined: of all. */
  projectKey: string | undefined
  /** The one that is chosen already; it is not offered again. */
  chosenKey: string | undefined
  /** Part of a title, as the address has it. */
  q: string
  onType: (text: string) => void
  nameOf: (session: SessionSummary) => string
  searchOf: (key: string) => CompareSearch
}

const MOST_OFFERED = 30

/** The newest sessions, or those whose title holds what is typed: one of them is to be compared. */
export function SessionChoice({ projectKey, chosenKey, q, onType, nameOf, searchOf }: Props) {
  const [text, type] = useSettlingText(q, onType)
  const title = useDeferredValue(text.trim())
  const list = useInfiniteQuery(sessionsQuery({ project: projectKey, title: title || undefined }))
  const sessions = (list.data?.pages[0]?.sessions ?? [])
    .filter(({ key }) => key !== chosenKey)
    .slice(0, MOST_OFFERED)
  return (
    <>
      <TitleField className="compare-filter" value={text} onChange={type} />
      {list.isPending && <SkeletonRows count={6} label="Loading sessions" />}
      {list.isError && (
        <Failed
          what="The sessions could not be loaded."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && !list.isPlaceholderData && sessions.length === 0 && (
        <p className="dim">No other session has such a title.</p>
      )}
      <ul className="compare-choices">
        {sessions.map((session) => (
          <li key={session.key}>
            <Link to="/compare" search={searchOf(session.key)} dir="auto">
              {nameOf(session)}
            </Link>
            <span className="dim">
              {session.project.name}
              {session.endTime !== null && (
                <TimeText time={session.endTime}>{formatDateTime(session.endTime)}</TimeText>
              )}
              <Spent {...session.withSubagents} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** As the list of sessions has it. */
function Spent({ usage, cost }: SessionSummary['withSubagents']) {
  const tokens = recordedTokens(usage)
  return (
    <>
      {tokens !== null && <span>{formatTokens(tokens)} tokens</span>}
      {cost !== null && <span>{formatCost(cost)}</span>}
    </>
  )
}
