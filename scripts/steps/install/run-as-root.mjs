import { run } from '../run.mjs'

/** Runs a system command as root, with non-interactive sudo if needed. Resolves to its exit code. */
export function runAsRoot(command, args) {
  if (process.platform !== 'linux') return Promise.resolve(1)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  if (process.getuid?.() === 0) return run(command, args, { env })
  return run('sudo', ['-n', command, ...args], { env })
}
