import { useQuery } from '@tanstack/react-query'
import { projectsQuery } from '../api/projects.ts'
import { HealthNotes } from '../features/health/health-notes.tsx'
import { ProjectTable } from '../features/projects/project-table.tsx'

/** The rail of home and project page. What stands below the projects waits for them, so that it is not pushed down. */
export function SessionsRail({ currentKey }: { currentKey?: string }) {
  const { isPending } = useQuery(projectsQuery())
  return (
    <>
      <ProjectTable currentKey={currentKey} />
      {!isPending && <HealthNotes />}
    </>
  )
}
