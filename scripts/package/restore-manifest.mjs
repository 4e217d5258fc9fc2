import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root, stampFolder } from '../steps/workspace.mjs'

export const packageFolder = join(root, 'apps', 'gemini-dash')
/** Where the repository's manifest is kept while the program is packed. */
export const keptManifest = join(stampFolder, 'packing', 'package.json')

/** Restores it, even if packing was interrupted. */
export function restoreManifest() {
  if (existsSync(keptManifest)) renameSync(keptManifest, join(packageFolder, 'package.json'))
}
