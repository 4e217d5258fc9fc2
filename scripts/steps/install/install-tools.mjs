import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.mjs'
import { contentFingerprint, isUpToDate, remember } from '../stamp.mjs'
import { root } from '../workspace.mjs'

/** Test-only tools, each outside the workspace in `tools/NAME`, with its own lockfile. */
const TOOLS = [
  {
    name: 'oracle',
    what: 'the loader of Gemini CLI that the tests compare with (376 MB)',
    args: ['--include=dev'],
    isNeeded: true,
  },
  {
    name: 'gemini-cli',
    what: 'Gemini CLI itself, which the tests have go on with sessions (96 MB)',
    args: ['--omit=optional'],
    isNeeded: true,
  },
  // These are not available on all systems: without them their tests are skipped.
  { name: 'ccusage', what: 'ccusage, whose sums the tests compare with (5 MB)' },
  { name: 'newer-node', what: 'a newer Node, with which the tests compare SQLite drivers (190 MB)' },
]

/**
 * Installs each of them once.
 *
 * @param {string[]} [names] Only these.
 * @throws if a required one cannot be installed
 */
export async function installTools(names = TOOLS.map(({ name }) => name)) {
  for (const { name, what, args = [], isNeeded = false } of TOOLS.filter(({ name }) =>
    names.includes(name),
  )) {
    const folder = join(root, 'tools', name)
    const fingerprint = contentFingerprint([join(folder, 'package-lock.json')])
    if (existsSync(join(folder, 'node_modules')) && isUpToDate(name, fingerprint)) continue
    process.stderr.write(`Installing ${what}, once ...\n`)
    const command = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...args]
    const exitCode = await run('npm', command, { cwd: folder })
    if (exitCode === 0) remember(name, fingerprint)
    else if (isNeeded) throw new Error(`It could not be installed (tools/${name}).`)
    else
      process.stderr.write(`It could not be installed (tools/${name}); what compares with it is skipped.\n`)
  }
}
