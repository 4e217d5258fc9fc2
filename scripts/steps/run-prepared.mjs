import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installBrowser } from './install/install-browser.mjs'
import { installPackages } from './install/install-packages.mjs'
import { installTools } from './install/install-tools.mjs'
import { canRunOffline, runOffline } from './run-offline.mjs'
import { sayAndExit } from './say-and-exit.mjs'
import { root } from './workspace.mjs'

/**
 * Installs packages, tools and a browser, then runs tests without any network except loopback where the system allows it: requests to other
 * machines fail. Exits with their code.
 *
 *   --offline     fails if that is not possible
 *   --online      runs with network access
 *
 * @param {string} script In TypeScript, below scripts.
 * @param {{ tools?: string[], args?: string[] }} [options] `tools`: the required ones; default: all. `args`: for the script.
 */
export async function runPrepared(script, { tools, args } = {}) {
  process.env.TESTS_BEGAN_AT = String(Date.now())
  try {
    await installPackages()
    await installTools(tools)
    process.env.CHROMIUM = await installBrowser()
    process.exitCode = await runScript(script, { args, isOffline: mayGoOffline(process.argv) })
  } catch (error) {
    sayAndExit(error)
  }
}

/** Runs a TypeScript file below scripts, once the packages are installed. Resolves to its exit code. */
export function runScript(script, { args = [], isOffline = false } = {}) {
  const words = ['--import', 'tsx', join(root, 'scripts', script), ...args]
  if (isOffline) return runOffline(process.execPath, words)
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** Prints the reason if not. */
function mayGoOffline(words) {
  if (words.includes('--online')) return false
  if (canRunOffline()) return true
  const why = 'a network of its own needs Linux, ip, and the right to have one (unshare -n).'
  if (words.includes('--offline')) throw new Error(`--offline: ${why}`)
  process.stderr.write(`The tests run beside the network: ${why}\n`)
  return false
}
