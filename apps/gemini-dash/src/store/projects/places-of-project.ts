import { readSessionPath, type SessionSummary } from 'gemini-sessions'
import type { ProjectIdentity, ProjectPlace, Scan } from 'gemini-sessions/node'

/** All folders of one project, in every home. */
export function placesOfProject(
  { projects: places }: Scan,
  projects: readonly ProjectIdentity[],
  projectKey: string,
): ProjectPlace[] {
  const folders = new Set(projects.find(({ key }) => key === projectKey)?.folders)
  return places.filter(({ folder }) => folders.has(folder))
}

/** Where the files beside a session may lie: the folders of its project, and those it was moved from. */
export function placesOfSession(
  scan: Scan,
  projects: readonly ProjectIdentity[],
  session: SessionSummary | null,
): ProjectPlace[] {
  if (session === null) return []
  const { project, files } = session
  const places = placesOfProject(scan, projects, project.key)
  const own = new Set(files.map(({ home, path }) => `${home}\n${readSessionPath(path).projectFolder}`))
  const others = scan.projects.filter((place) => own.has(`${place.home}\n${place.name}`))
  return [...new Set([...places, ...others])]
}
