import { useQuery } from '@tanstack/react-query'
import { viewsQuery } from '../api/marks.ts'
import { projectsQuery } from '../api/projects.ts'
import { HealthNotes } from '../features/health/health-notes.tsx'
import { SavedViews } from '../features/marks/saved-views.tsx'
import { ProjectTable } from '../features/projects/project-table.tsx'

/** The rail of home and project page. What stands below the views and the projects waits for them, so that it is not pushed down. */
export function SessionsRail({ currentKey }: { currentKey?: string }) {
  const views = useQuery(viewsQuery())
  const areProjectsPending = useQuery(projectsQuery()).isPending
  if (views.isPending) return null
  return (
    <>
      <SavedViews asked={views} />
      <ProjectTable currentKey={currentKey} />
      {!areProjectsPending && <HealthNotes />}
    </>
  )
}
