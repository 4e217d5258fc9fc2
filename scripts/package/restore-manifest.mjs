import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root, stampFolder } from '../steps/workspace.mjs'

export const packageFolder = join(root, 'apps', 'gemini-dash')
/** Where the repository's own manifest waits while the program is packed. */
export const keptManifest = join(stampFolder, 'packing', 'package.json')

/** Puts it back, also where packing was stopped in its midst. */
export function restoreManifest() {
  if (existsSync(keptManifest)) renameSync(keptManifest, join(packageFolder, 'package.json'))
}
