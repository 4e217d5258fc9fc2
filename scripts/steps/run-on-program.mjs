import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildProgram } from './build-program.mjs'
import { installPackages } from './install/install-packages.mjs'
import { sayAndExit } from './say-and-exit.mjs'
import { root } from './workspace.mjs'

/** Installs packages, builds the program if wanted, runs the script with these arguments, and exits with its code. */
export async function runOnProgram(script, args, { isWanted = true } = {}) {
  try {
    await installPackages()
    if (isWanted) await buildProgram()
  } catch (error) {
    sayAndExit(error)
  }
  const command = ['--import', 'tsx', join(root, script), ...args]
  process.exitCode = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1
}
