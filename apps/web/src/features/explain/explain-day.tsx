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
  /** null: the whole list. */
  day: string | null
  figure: FigureName | undefined
  /** What the list leaves out. */
  filter: SessionCriteria
}

/** What a list adds up, or a day of it: whole sessions, under the day on which each of them ended. */
export function ExplainDay({ day, filter, figure }: Props) {
  const list = useInfiniteQuery(
    sessionsQuery(day === null ? filter : { ...filter, from: day, to: addDays(day, 1) }),
  )
  const pages = list.isPlaceholderData ? undefined : list.data?.pages
  if (list.isError)
    return (
      <Failed what="These sessions could not be read." error={list.error} onRetry={() => list.refetch()} />
    )
  const [first] = pages ?? []
  const totals =
    day === null
      ? first && { sessions: first.total, withSubagents: first.sums }
      : first?.days.find((each) => each.day === day)
  if (pages === undefined || totals === undefined) return null
  const sessions = pages
    .flatMap((page) => page.sessions)
    .filter((session) => day === null || dayOfSession(session) === day)
  return (
    <>
      <p>
        The whole of {formatPlural(totals.sessions, 'session')}
        {day !== null && ' that ended on this day'}, sub-agents included. The usage page counts each call on
        the day on which it was made, so a session over midnight is divided there.
      </p>
      <TokenTable usage={totals.withSubagents.usage} figure={figure} />
      <section className="explain-rate">
        <h3>
          {sessions.length < totals.sessions
            ? `The last ${formatCount(sessions.length)} of ${formatCount(totals.sessions)} sessions`
            : 'Sessions'}
        </h3>
        <SumTable
          label={day === null ? 'Sessions of this list' : 'Sessions of this day'}
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
