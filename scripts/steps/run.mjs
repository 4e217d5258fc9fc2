import { spawn } from 'node:child_process'
import { root } from './workspace.mjs'

/**
 * Runs a command and resolves to its exit code. Its output goes to stderr, so that stdout stays free for
 * what the program itself prints (`npm start -- --json`).
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { cwd = root, env = {} } = {}) {
  return new Promise((resolve) => {
    // npm and npx are .cmd files on Windows, which only a shell can start. No argument of ours needs quoting.
    const isScript = process.platform === 'win32' && command !== process.execPath
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', process.stderr, process.stderr],
      shell: isScript,
    })
    child.on('error', (error) => {
      process.stderr.write(`Could not run ${command}: ${error.message}\n`)
      resolve(127)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
