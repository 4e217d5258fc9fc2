import { dueWords } from '@gemini-dash/api/due-words'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { doctorNotesQuery } from '../api/doctor.ts'
import { healthQuery } from '../api/health.ts'
import { BudgetNotices } from '../features/budgets/budget-notices.tsx'
import { ExplainLayer } from '../features/explain/explain-layer.tsx'
import { FirstRun, useEmptyHomes } from '../features/first-run/first-run.tsx'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { SessionTable } from '../features/session-list/session-list.tsx'
import { formatPlural } from '../lib/figures/format.ts'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { RailFrame } from '../ui/frames/rail-frame.tsx'
import { lazyPart } from '../ui/lazy/lazy-part.tsx'
import { SessionsRail } from './sessions-rail.tsx'

const KeepNotice = lazyPart(
  () => import('../features/keep/keep-notice.tsx'),
  () => null,
)
const route = getRouteApi('/')

/** All sessions of all projects; before there is any, how to get one. */
export function HomePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const emptyHomes = useEmptyHomes()
  useDocumentTitle('Sessions')
  if (emptyHomes !== null) return <FirstRun homes={emptyHomes} />
  return (
    <RailFrame railLabel="Projects and health" rail={<SessionsRail />}>
      <h1 className="visually-hidden">Sessions</h1>
      <IndexProgress />
      <BudgetNotices>
        <Link to="/usage" hash="budgets" className="link">
          Budgets
        </Link>
      </BudgetNotices>
      <ExplainLayer>
        <SessionTable
          search={search}
          onSearch={(change) =>
            void navigate({ search: (before) => ({ ...before, ...change }), replace: change.q !== undefined })
          }
        />
      </ExplainLayer>
      <DueNotice />
    </RailFrame>
  )
}

/** A week ahead: what goes, and the way to keep it. */
function DueNotice() {
  const due = useQuery(doctorNotesQuery()).data?.dueSessions ?? 0
  const { data: health } = useQuery(healthQuery())
  if (due === 0 || health === undefined) return null
  const { before, after } = dueWords(health.cli.byRules)
  return (
    <Suspense>
      <KeepNotice name="week" action={due === 1 ? 'Keep it' : 'Keep these'}>
        {before}
        <Link to="/doctor" hash="retention" className="link">
          {formatPlural(due, 'session')}
        </Link>
        {after} within a week or on its next start.
      </KeepNotice>
    </Suspense>
  )
}
