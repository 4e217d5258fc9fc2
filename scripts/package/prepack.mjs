import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { buildProgram } from '../steps/build-program.mjs'
import { installPackages } from '../steps/install/install-packages.mjs'
import { sayAndExit } from '../steps/say-and-exit.mjs'
import { root } from '../steps/workspace.mjs'
import { cleanManifest, faultsOf } from './packed-files.mjs'
import { keptManifest, packageFolder, restoreManifest } from './restore-manifest.mjs'

// npm runs this before packing the program: builds it, replaces the repository's manifest with the published one (postpack restores it),
// and checks what would be published.
const MOST_BYTES = 12_000_000

try {
  restoreManifest()
  if (!existsSync(join(root, 'node_modules', '.modules.yaml'))) await installPackages()
  await buildProgram()
  putCleanManifest()
} catch (error) {
  sayAndExit(error)
}

function putCleanManifest() {
  const path = join(packageFolder, 'package.json')
  const clean = `${JSON.stringify(cleanManifest(JSON.parse(readFileSync(path, 'utf8'))), null, 2)}\n`
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8')
  const faults = faultsOf(
    { manifest: clean, readme, files: filesBelow(join(packageFolder, 'dist')) },
    MOST_BYTES,
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
  mkdirSync(join(keptManifest, '..'), { recursive: true })
  // A hard link keeps the file's times, so that the next build sees no change.
  linkSync(path, keptManifest)
  writeFileSync(`${keptManifest}.packed`, clean)
  renameSync(`${keptManifest}.packed`, path)
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, sizeBytes: statSync(path).size }))
}
