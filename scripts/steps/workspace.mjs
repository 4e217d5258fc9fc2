import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** `pnpm@10...`, as package.json pins it. */
export const pinnedPnpm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager

/** Remembers what was installed and built; goes with node_modules, so deleting that starts afresh. */
export const stampFolder = join(root, 'node_modules', '.cache', 'gemini-dash')
