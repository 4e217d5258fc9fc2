import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Project } from 'gemini-sessions'
import { projectsQuery } from '../api/projects.ts'
import { ExplainLayer } from '../features/explain/explain-layer.tsx'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { ProjectHeader } from '../features/projects/project-header.tsx'
import { SessionTable } from '../features/session-list/session-list.tsx'
import { ProjectUsage } from '../features/usage/columns/project-usage.tsx'
import { ChartTablesContext } from '../features/usage/frame/chart-tables.ts'
import type { ListSearch } from '../lib/address/list-search.ts'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { CrumbHere, Crumbs } from '../ui/controls/crumbs.tsx'
import { RailFrame } from '../ui/frames/rail-frame.tsx'
import { Failed } from '../ui/states/failed.tsx'
import { SkeletonRows } from '../ui/states/skeleton-rows.tsx'
import { NotFoundPage } from './refused/refused-pages.tsx'
import { SessionsRail } from './sessions-rail.tsx'

const route = getRouteApi('/p/$project')

/** One project: what it came to, day by day, and its sessions. */
export function ProjectPage() {
  const { project: projectRef } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const projects = useQuery(projectsQuery())
  const project = projects.data && findProject(projects.data.projects, projectRef)
  useDocumentTitle(project?.name)
  const onSearch = (change: Partial<ListSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: change.q !== undefined,
      resetScroll: !('tables' in change),
    })
  if (projects.data && !project) return <NotFoundPage what={`No project is called ${projectRef}.`} />
  return (
    <RailFrame railLabel="Projects and health" rail={<SessionsRail currentKey={project?.key} />}>
      <IndexProgress />
      {projects.isPending && <SkeletonRows count={8} label="Loading the project" />}
      {projects.isError && (
        <Failed
          what="The project could not be loaded."
          error={projects.error}
          onRetry={() => projects.refetch()}
        />
      )}
      {project && (
        <>
          <Crumbs>
            <CrumbHere>{project.name}</CrumbHere>
          </Crumbs>
          <ExplainLayer>
            <ProjectHeader key={`header of ${project.key}`} project={project} />
            <ChartTablesContext
              value={{
                tables: search.tables,
                onTable: (_, isTable) => onSearch({ tables: isTable ? 'days' : undefined }),
              }}
            >
              <ProjectUsage projectKey={project.key} hasPrice={project.cost?.usd != null} />
            </ChartTablesContext>
            <SessionTable key={project.key} search={search} project={project} onSearch={onSearch} />
          </ExplainLayer>
        </>
      )}
    </RailFrame>
  )
}

/** By its key or name; or, for an address from before it was named, by the last part of its path or of its folder. */
function findProject(projects: Project[], ref: string): Project | undefined {
  return (
    projects.find(({ key, name }) => key === ref || name === ref) ??
    projects.find(({ path, folders }) =>
      [...folders, ...(path === null ? [] : [path])].some((place) => place.split(/[\\/]/).at(-1) === ref),
    )
  )
}
