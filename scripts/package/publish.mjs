import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/workspace.mjs'

// Publishes each package whose version is not in the registry, and prints the line from which the release workflow creates its tag.
for (const directory of ['packages/gemini-sessions', 'apps/gemini-dash']) {
  const folder = join(root, directory)
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (isPublished(`${name}@${version}`)) continue
  execFileSync('npm', ['publish', '--access', 'public'], { cwd: folder, stdio: 'inherit' })
  process.stdout.write(`New tag: ${name}@${version}\n`)
}

function isPublished(specifier) {
  try {
    return execFileSync('npm', ['view', specifier, 'version'], { encoding: 'utf8' }).trim() !== ''
  } catch {
    return false
  }
}
