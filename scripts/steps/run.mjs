import { spawn } from 'node:child_process'
import { root } from './workspace.mjs'

/**
 * Runs a command and resolves to its exit code. Its output goes to stderr, so that stdout is reserved for the program's own output (`npm
 * start -- --json`).
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, onOutput?: (text: string) => void }} [options] `onOutput` receives all
 *   output of the command.
 * @returns {Promise<number>}
 */
export function run(command, args, { cwd = root, env = {}, onOutput } = {}) {
  return new Promise((resolve) => {
    // npm and npx are .cmd files on Windows, which only a shell can start. None of our arguments needs quoting.
    const isScript = process.platform === 'win32' && command !== process.execPath
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', ...(onOutput ? ['pipe', 'pipe'] : [process.stderr, process.stderr])],
      shell: isScript,
    })
    for (const stream of onOutput ? [child.stdout, child.stderr] : []) {
      stream.setEncoding('utf8').on('data', (text) => {
        process.stderr.write(text)
        onOutput(text)
      })
    }
    child.on('error', (error) => {
      const sentence = `Could not run ${command}: ${error.message}\n`
      process.stderr.write(sentence)
      onOutput?.(sentence)
      resolve(127)
    })
    child.on(onOutput ? 'close' : 'exit', (code) => resolve(code ?? 1))
  })
}
