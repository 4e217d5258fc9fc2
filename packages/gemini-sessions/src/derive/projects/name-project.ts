import type { Project } from '../../model/project.ts'
import { isHashName } from './group-folders.ts'

/** A project is called as its root, else as its folder, else by the beginning of the hash that its folder is called. */
export function nameProject(
  path: string | null,
  folderNames: readonly string[],
): Pick<Project, 'name' | 'nameSource'> {
  if (path !== null) return { name: endsOf(path)[0] ?? path, nameSource: 'path' }
  const slug = folderNames.find((name) => !isHashName(name))
  if (slug !== undefined) return { name: slug, nameSource: 'folder' }
  return { name: `${(folderNames[0] ?? '').slice(0, 8)}…`, nameSource: 'hash' }
}

/**
 * The same projects, each with a name that no other one has: the end of its path, or of its folder's where that is all that is
 * known, as short as it can be (`apps/web` beside `docs/web`). Names that the user gave stay as they are.
 */
export function tellApart<T extends Named>(projects: readonly T[]): T[] {
  const ends = new Map(projects.map((project) => [project, endsOf(placeOf(project) ?? '')]))
  const uses = new Map<string, number>()
  for (const project of projects) {
    const names = placeOf(project) === null ? [project.name] : (ends.get(project) ?? [])
    for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  return projects.map((project) => {
    const place = placeOf(project)
    if (place === null) return project
    const own = ends.get(project)?.find((end) => uses.get(end) === 1)
    return { ...project, name: own ?? wholeOf(place, project, projects) }
  })
}

/** Where the end of a path is the whole of another, the whole of it; a user may call several projects the same path. */
function wholeOf(place: string, project: Named, projects: readonly Named[]): string {
  const isShared = projects.some((other) => other !== project && placeOf(other) === place)
  return isShared ? `${place} (${project.key})` : place
}

type Named = Pick<Project, 'key' | 'name' | 'nameSource' | 'path' | 'folders'>

/** What its name is the end of; null: its name is none of that. */
function placeOf({ nameSource, path, folders }: Named): string | null {
  if (nameSource === 'path') return path
  if (nameSource !== 'folder') return null
  const slugs = folders.filter((folder) => !isHashName(lastOf(folder)))
  return slugs.sort((a, b) => (`${lastOf(a)}\n${a}` < `${lastOf(b)}\n${b}` ? -1 : 1))[0] ?? null
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The last name of a path, the last two, and so on; none of the root of a file system. */
function endsOf(path: string): string[] {
  const text = path.replace(/[\\/]+$/, '')
  const starts = [...text.matchAll(/(?<=^|[\\/])[^\\/]+/g)].map(({ index }) => index)
  return starts.reverse().map((start) => text.slice(start))
}
