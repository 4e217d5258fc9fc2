import { type Dirent, lstatSync, readdirSync } from 'node:fs'

/**
 * What stands in one folder below a project's (`inner`, '' for that itself), by name: nothing, if it is reached through a
 * link or cannot be read.
 */
export function listEntries(folder: string, inner: string): Dirent[] {
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
