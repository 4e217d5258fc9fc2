import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Dependencies of the page that are only used to build it; nothing of them is shipped. */
const BUILD_ONLY = /^(vite|@vitejs\/.*|@tailwindcss\/vite|@types\/.*|@gemini-dash\/.*|gemini-sessions)$/

/**
 * Folders of the packages that the page may contain: all its dependencies, including transitive ones. More than is in its bundle, but never
 * less: fonts and styles leave no trace in the modules of a bundle.
 */
export function pagePackages(pageFolder: string): string[] {
  const { devDependencies = {} } = readManifest(pageFolder)
  const direct = Object.keys(devDependencies).filter((name) => !BUILD_ONLY.test(name))
  const found = new Set<string>()
  const waiting = direct.map((name) => findPackage(name, pageFolder))
  for (const folder of waiting) {
    if (folder === null || found.has(folder)) continue
    found.add(folder)
    const names = Object.keys(readManifest(folder).dependencies ?? {}).filter(
      (name) => !BUILD_ONLY.test(name),
    )
    waiting.push(...names.map((name) => findPackage(name, folder)))
  }
  return [...found]
}

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Like Node.js: in `node_modules` of this folder and of its parents. */
function findPackage(name: string, from: string): string | null {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder)
  const above = dirname(from)
  return above === from ? null : findPackage(name, above)
}
