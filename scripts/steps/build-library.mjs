import { join } from 'node:path'
import { run } from './run.mjs'
import { root } from './workspace.mjs'

/** Builds the published `gemini-sessions`. The program is built from its sources and does not need it. */
export async function buildLibrary() {
  process.stderr.write('Building packages/gemini-sessions ...\n')
  const script = join(root, 'packages', 'gemini-sessions', 'build', 'build-library.mjs')
  const exitCode = await run(process.execPath, [script])
  if (exitCode !== 0) throw new Error('packages/gemini-sessions could not be built; the reason stands above.')
}
