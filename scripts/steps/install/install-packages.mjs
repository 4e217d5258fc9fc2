import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { contentFingerprint, isUpToDate, remember } from '../stamp.mjs'
import { pinnedPnpm, root } from '../workspace.mjs'

/** Installs the packages in the lockfile, unless they already are. Throws a sentence for the user. */
export async function installPackages() {
  const fingerprint = contentFingerprint(manifests())
  if (existsSync(join(root, 'node_modules', '.modules.yaml')) && isUpToDate('install', fingerprint)) return
  process.stderr.write('Installing packages (only when they changed) ...\n')
  // --prod=false: the build needs devDependencies even if NODE_ENV is production.
  const install = ['-y', pinnedPnpm, 'install', '--frozen-lockfile', '--prod=false', '--reporter=append-only']
  const exitCode = await run('npx', install, { env: { CI: '1' } })
  if (exitCode !== 0) {
    throw new Error(
      'The packages could not be installed. Is the npm registry reachable? Then run the command again.',
    )
  }
  remember('install', fingerprint)
}

function manifests() {
  const members = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'package.json')),
  )
  return ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json']
    .map((name) => join(root, name))
    .concat(members)
}
