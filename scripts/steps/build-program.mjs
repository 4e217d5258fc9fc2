import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { isUpToDate, remember, treeFingerprint } from './stamp.mjs'
import { root } from './workspace.mjs'

/** Inputs of the build; includes the demo home. */
const SOURCES = ['apps', 'packages', 'fixtures/home', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json']

/** The page first: the paper program uses its grammars, and the program includes both. */
const BUILD_ORDER = [
  { folder: 'apps/web', config: 'vite.config.ts' },
  { folder: 'apps/web', config: 'vite.paper.config.ts' },
  { folder: 'apps/gemini-dash', config: 'vite.config.ts' },
]

const WRITE_SCHEMAS = join(root, 'apps', 'gemini-dash', 'build', 'write-schemas.ts')

export const builtProgram = join(root, 'apps', 'gemini-dash', 'dist', 'cli.js')

/** Builds page and program, unless nothing changed since the last build. Throws a sentence for the user. */
export async function buildProgram({ always = false } = {}) {
  const fingerprint = treeFingerprint(SOURCES.map((path) => join(root, path)))
  if (!always && existsSync(builtProgram) && isUpToDate('build', fingerprint)) return
  for (const { folder, config } of BUILD_ORDER) {
    process.stderr.write(`Building ${folder} (${config}) ...\n`)
    const vite = join(root, folder, 'node_modules', 'vite', 'bin', 'vite.js')
    const exitCode = await run(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], {
      cwd: join(root, folder),
      env: { NODE_ENV: 'production' },
    })
    if (exitCode !== 0) throw new Error(`${folder} could not be built; the reason is above.`)
  }
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
  if ((await run(process.execPath, [tsx, WRITE_SCHEMAS])) !== 0)
    throw new Error('The JSON Schemas could not be written; the reason is above.')
  remember('build', fingerprint)
}
