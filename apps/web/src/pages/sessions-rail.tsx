import { HealthNotes } from '../features/health/health-notes.tsx'
import { ProjectList } from '../features/projects/project-list.tsx'

/** The rail of home and project page. */
export function SessionsRail({ currentKey }: { currentKey?: string }) {
  return (
    <>
      <ProjectList currentKey={currentKey} />
      <HealthNotes />
    </>
  )
}
