import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { Project } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { OWN_VIEWS, viewsQuery } from '../api/marks.ts'
import { projectsQuery } from '../api/usage.ts'
import { BudgetNotices } from '../features/budgets/budget-notices.tsx'
import { FirstRun, useEmptyHomes } from '../features/first-run.tsx'
import { IndexProgress } from '../features/index-progress.tsx'
import { useDeletionNotice } from '../features/keep/keep-notice.tsx'
import { SavedViews } from '../features/marked-messages.tsx'
import { ProjectMenu, ProjectTable } from '../features/projects.tsx'
import { SessionTable } from '../features/session-list/session-list.tsx'
import { useDocumentTitle } from '../lib/hooks.ts'
import type { ListSearch } from '../lib/page-searches.ts'
import { pathSourceText } from '../lib/session-words.ts'
import { RailFrame } from '../ui/dialog.tsx'
import { lazyDialog } from '../ui/lazy.tsx'
import { Failed, SkeletonRows } from '../ui/states.tsx'
import { NotFoundPage } from './refused.tsx'

const SessionRowMenu = lazyDialog(() => import('./session/session-row-menu.tsx'))
const allRoute = getRouteApi('/')
const projectRoute = getRouteApi('/p/$project')

/** Sessions of all projects; if there are none yet, how to create one. */
export function SessionsPage() {
  const search = allRoute.useSearch()
  const navigate = allRoute.useNavigate()
  const emptyHomes = useEmptyHomes()
  const { isKnown, notice } = useDeletionNotice()
  useDocumentTitle('Sessions')
  // a home without sessions can have saved chats, which are a list of their own
  if (emptyHomes !== null && search.kind === undefined) return <FirstRun homes={emptyHomes} />
  const view = viewOf(search)
  return (
    <ListFrame>
      <SessionTable
        search={search}
        heading={<h1 className="page-title">{view === undefined ? 'All projects' : `${view} sessions`}</h1>}
        isWaiting={!isKnown}
        notices={<Notices>{notice}</Notices>}
        RowMenu={SessionRowMenu}
        onSearch={(change) => void navigate({ search: (before) => withChange(before, change) })}
      />
    </ListFrame>
  )
}

/** The same page with one project as its scope. */
export function ProjectPage() {
  const { project: projectRef } = projectRoute.useParams()
  const search = projectRoute.useSearch()
  const navigate = projectRoute.useNavigate()
  const projects = useQuery(projectsQuery())
  const { isKnown, notice } = useDeletionNotice()
  const project = projects.data && findProject(projects.data.projects, projectRef)
  useDocumentTitle(project?.name)
  if (projects.data && !project) return <NotFoundPage what={`No project is called ${projectRef}.`} />
  return (
    <ListFrame currentKey={project?.key}>
      {projects.isPending && <SkeletonRows count={8} label="Loading the project" />}
      {projects.isError && (
        <Failed
          what="The project could not be loaded."
          error={projects.error}
          onRetry={() => projects.refetch()}
        />
      )}
      {project && (
        <SessionTable
          key={project.key}
          search={search}
          project={project}
          heading={
            <h1 className="page-title" title={placeOf(project)} dir="auto">
              {project.name}
            </h1>
          }
          menu={<ProjectMenu project={project} />}
          isWaiting={!isKnown}
          notices={<Notices>{notice}</Notices>}
          RowMenu={SessionRowMenu}
          onSearch={(change) => void navigate({ search: (before) => withChange(before, change) })}
        />
      )}
    </ListFrame>
  )
}

function ListFrame({ currentKey, children }: { currentKey?: string | undefined; children: ReactNode }) {
  return (
    <RailFrame railLabel="Views and projects" rail={<SessionsRail currentKey={currentKey} />}>
      <IndexProgress />
      {children}
    </RailFrame>
  )
}

/** Notices that need attention, one line each. */
function Notices({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <BudgetNotices />
    </>
  )
}

function withChange(before: ListSearch, change: Partial<ListSearch>): ListSearch {
  return { ...before, ...change }
}

/** Name of the built-in view for these filters, if there is one. */
function viewOf(search: ListSearch): string | undefined {
  const set = Object.entries(search).filter(([, value]) => value !== undefined)
  const here = `/?${set.map(([name, value]) => `${name}=${value}`).join('&')}`
  return OWN_VIEWS.find(({ href }) => href === here)?.name
}

/** A project's path and how it is known, or its folder of sessions. */
function placeOf({ path, pathSource, folders, about }: Project): string {
  if (path !== null) return `${path}, ${pathSourceText(pathSource)}`
  const place = `${folders[0] ?? ''}, ${pathSourceText(pathSource)}`
  return about === null ? place : `${place}. Its last session: ${about}`
}

/** Finds a project by key or name; for older addresses, by the last part of its path or folder. */
function findProject(projects: Project[], ref: string): Project | undefined {
  return (
    projects.find(({ key, name }) => key === ref || name === ref) ??
    projects.find(({ path, folders }) =>
      [...folders, ...(path === null ? [] : [path])].some((place) => place.split(/[\\/]/).at(-1) === ref),
    )
  )
}

/** Sidebar of the session lists. Projects wait for the views, so that they are not pushed down. */
function SessionsRail({ currentKey }: { currentKey: string | undefined }) {
  const views = useQuery(viewsQuery())
  const isOfAll = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr === '/' })
  if (views.isPending) return null
  return (
    <>
      <SavedViews asked={views} />
      <ProjectTable currentKey={currentKey} isOfAll={isOfAll} />
    </>
  )
}
