import { HealthNotes } from '../features/health/health-notes.tsx'
import { ProjectTable } from '../features/projects/project-table.tsx'

/** The rail of home and project page. */
export function SessionsRail({ currentKey }: { currentKey?: string }) {
  return (
    <>
      <ProjectTable currentKey={currentKey} />
      <HealthNotes />
    </>
  )
}
