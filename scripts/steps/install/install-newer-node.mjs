import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { contentFingerprint, isUpToDate, remember } from '../stamp.mjs'
import { root } from '../workspace.mjs'

/** A Node with its own SQLite, for the test that compares both drivers. It exists for some systems only: without it the test is skipped. */
export async function installNewerNode() {
  const folder = join(root, 'tools', 'newer-node')
  const fingerprint = contentFingerprint([join(folder, 'package-lock.json')])
  if (existsSync(join(folder, 'node_modules')) && isUpToDate('newer-node', fingerprint)) return
  process.stderr.write(
    'Installing a newer Node, with which the tests compare SQLite drivers (190 MB, once) ...\n',
  )
  const exitCode = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  if (exitCode === 0) remember('newer-node', fingerprint)
  else process.stderr.write('It could not be installed (tools/newer-node); that comparison is skipped.\n')
}
