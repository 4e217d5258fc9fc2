import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { contentFingerprint, isUpToDate, remember } from '../stamp.mjs'
import { root } from '../workspace.mjs'

/** Another program that prices sessions, for one test. It exists for some systems only: without it the test is skipped. */
export async function installCcusage() {
  const folder = join(root, 'tools', 'ccusage')
  const fingerprint = contentFingerprint([join(folder, 'package-lock.json')])
  if (existsSync(join(folder, 'node_modules')) && isUpToDate('ccusage', fingerprint)) return
  process.stderr.write('Installing ccusage, whose sums the tests compare with (5 MB, once) ...\n')
  const exitCode = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  if (exitCode === 0) remember('ccusage', fingerprint)
  else process.stderr.write('ccusage could not be installed (tools/ccusage); that comparison is skipped.\n')
}
