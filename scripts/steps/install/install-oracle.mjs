import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { contentFingerprint, isUpToDate, remember } from '../stamp.mjs'
import { root } from '../workspace.mjs'

/** The CLI's own loader, with which the tests compare ours. 376 MB, hence apart from the workspace. */
export async function installOracle() {
  const folder = join(root, 'tools', 'oracle')
  const fingerprint = contentFingerprint([join(folder, 'package-lock.json')])
  if (existsSync(join(folder, 'node_modules')) && isUpToDate('oracle', fingerprint)) return
  process.stderr.write('Installing the loader of Gemini CLI that the tests compare with (376 MB, once) ...\n')
  const exitCode = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--include=dev'], {
    cwd: folder,
  })
  if (exitCode !== 0) throw new Error('The loader of Gemini CLI could not be installed (tools/oracle).')
  remember('oracle', fingerprint)
}
