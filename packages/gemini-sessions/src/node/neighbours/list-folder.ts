import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { shortKey } from '../../derive/identity/short-key.ts'
import type { ProjectPlace } from '../scan/project-place.ts'
import type { FoundFile } from './found-file.ts'

/**
 * The regular files of one folder below a project's (`inner`, '' for that itself), by name. Links, pipes and devices
 * are left out, and a folder that is reached through a link has none.
 */
export function listFolder(
  place: ProjectPlace,
  inner: string,
  isWanted: (name: string) => boolean = () => true,
): FoundFile[] {
  return entriesOf(place, inner)
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .flatMap(({ name }) => measure(place, inner === '' ? name : `${inner}/${name}`) ?? [])
}

/** Names of the folders in it. */
export function listSubfolders(place: ProjectPlace, inner: string): string[] {
  return entriesOf(place, inner)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

function entriesOf({ folder }: ProjectPlace, inner: string): Dirent[] {
  try {
    const path = inner.split('/').reduce((parent, name) => {
      if (!lstatSync(parent).isDirectory()) throw new Error('not a folder of its own')
      return name === '' ? parent : `${parent}/${name}`
    }, folder)
    if (!lstatSync(path).isDirectory()) return []
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // Most sessions have no such folder; one that cannot be read holds nothing that could be shown.
    return []
  }
}

function measure({ home, folder }: ProjectPlace, place: string): FoundFile | null {
  try {
    const { size, mtimeMs } = lstatSync(`${folder}/${place}`)
    const path = `${folder.slice(home.length + 1)}/${place}`
    const modifiedTime = new Date(mtimeMs).toISOString()
    return {
      folder,
      place,
      file: { id: shortKey(`${home}\n${path}`), home, path, sizeBytes: size, modifiedTime },
    }
  } catch {
    return null
  }
}
