import { spawn, spawnSync } from 'node:child_process'

/** As root nothing needs to be mapped; others keep their number, so that tests of permissions mean what they say. */
const UNSHARE = process.getuid?.() === 0 ? ['-n'] : ['--map-current-user', '--keep-caps', '-n']
const inside = (words) => [...UNSHARE, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...words]

/** Has this process the right, and the tools, to start others where there is no network but loopback? */
export function canRunOffline() {
  return process.platform === 'linux' && spawnSync('unshare', inside(['true'])).status === 0
}

/** Runs a command there. Resolves to its exit code. */
export function runOffline(command, args) {
  const child = spawn('unshare', inside([command, ...args]), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
