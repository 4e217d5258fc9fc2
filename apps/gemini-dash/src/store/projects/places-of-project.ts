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
