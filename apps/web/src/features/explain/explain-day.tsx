import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SessionCriteria, sessionsQuery } from '../../api/sessions.ts'
import type { FigureName } from '../../content/explain/explain-context.ts'
import { addDays } from '../../lib/figures/calendar-day.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { dayOfSession } from '../../lib/figures/last-activity.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SumTable } from './tables/sum-table.tsx'
import { TokenTable } from './tables/token-table.tsx'

interface Props {
  day: string
  figure: FigureName | undefined
  /** What the list leaves out. */
  filter: SessionCriteria
}

/** What a day of the list adds up: whole sessions, under the day on which each of them ended. */
export function ExplainDay({ day, filter, figure }: Props) {
  const list = useInfiniteQuery(sessionsQuery({ ...filter, from: day, to: addDays(day, 1) }))
  const pages = list.isPlaceholderData ? undefined : list.data?.pages
  if (list.isError)
    return (
      <Failed
        what="The sessions of this day could not be read."
        error={list.error}
        onRetry={() => list.refetch()}
      />
    )
  const totals = pages?.[0]?.days.find((each) => each.day === day)
  if (pages === undefined || totals === undefined) return null
  const sessions = pages.flatMap((page) => page.sessions).filter((session) => dayOfSession(session) === day)
  return (
    <>
      <p>
        The whole of {formatPlural(totals.sessions, 'session')} that ended on this day, sub-agents included.
        The usage page counts each call on the day on which it was made, so a session over midnight is divided
        there.
      </p>
      <TokenTable usage={totals.withSubagents.usage} figure={figure} />
      <section className="explain-rate">
        <h3>
          {sessions.length < totals.sessions
            ? `The last ${formatCount(sessions.length)} of ${formatCount(totals.sessions)} sessions`
            : 'Sessions'}
        </h3>
        <SumTable
          label="Sessions of this day"
          head="Session"
          rows={sessions.map(({ key, title, project, withSubagents }) => ({
            key,
            ...withSubagents,
            explains: { kind: 'session', sessionRef: key } as const,
            name: (
              <>
                <Link to="/s/$key" params={{ key }} className="link" title={title} dir="auto">
                  {title || key}
                </Link>
                <small dir="auto">{project.name}</small>
              </>
            ),
          }))}
          together={totals.withSubagents}
        />
        {list.hasNextPage && (
          <Button onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
            More sessions
          </Button>
        )}
      </section>
    </>
  )
}
