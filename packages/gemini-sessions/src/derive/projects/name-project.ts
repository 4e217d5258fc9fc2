import type { Project } from '../../model/project.ts'
import { isHashName } from './group-folders.ts'

/** A project is called as its root, else as its folder, else by the beginning of the hash that its folder is called. */
export function nameProject(
  path: string | null,
  folderNames: readonly string[],
): Pick<Project, 'name' | 'nameSource'> {
  if (path !== null) return { name: baseName(path), nameSource: 'path' }
  const slug = folderNames.find((name) => !isHashName(name))
  if (slug !== undefined) return { name: slug, nameSource: 'folder' }
  return { name: `${(folderNames[0] ?? '').slice(0, 8)}…`, nameSource: 'hash' }
}

function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path
}
