import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { healthQuery } from '../api/health.ts'
import { projectsQuery } from '../api/projects.ts'
import { BudgetNotices } from '../features/budgets/budget-notices.tsx'
import { ExplainLayer } from '../features/explain/explain-layer.tsx'
import { FirstRun } from '../features/first-run/first-run.tsx'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { SessionTable } from '../features/session-list/session-list.tsx'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { RailFrame } from '../ui/frames/rail-frame.tsx'
import { SessionsRail } from './sessions-rail.tsx'

const route = getRouteApi('/')

/** All sessions of all projects; before there is any, how to get one. */
export function HomePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const health = useQuery(healthQuery()).data
  const projects = useQuery(projectsQuery()).data
  useDocumentTitle('Sessions')
  const hasNoSession = projects?.projects.every((project) => project.sessions === 0)
  if (health?.index.state === 'ready' && hasNoSession) return <FirstRun homes={health.homes} />
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
            void navigate({ search: (before) => ({ ...before, ...change }), replace: 'q' in change })
          }
        />
      </ExplainLayer>
    </RailFrame>
  )
}
