import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** `pnpm@10...`, as package.json pins it. */
export const pinnedPnpm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager

/** Records what was installed and built; deleted with node_modules to start over. */
export const stampFolder = join(root, 'node_modules', '.cache', 'gemini-dash')
