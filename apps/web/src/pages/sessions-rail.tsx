import { useQuery } from '@tanstack/react-query'
import { viewsQuery } from '../api/marks.ts'
import { projectsQuery } from '../api/projects.ts'
import { HealthNotes } from '../features/health/health-notes.tsx'
import { SavedViews } from '../features/marks/saved-views.tsx'
import { ProjectTable } from '../features/projects/project-table.tsx'

/** The rail of home and project page. What stands below the views and the projects waits for them, so that it is not pushed down. */
export function SessionsRail({ currentKey }: { currentKey?: string }) {
  const areViewsPending = useQuery(viewsQuery()).isPending
  const areProjectsPending = useQuery(projectsQuery()).isPending
  if (areViewsPending) return null
  return (
    <>
      <SavedViews />
      <ProjectTable currentKey={currentKey} />
      {!areProjectsPending && <HealthNotes />}
    </>
  )
}
