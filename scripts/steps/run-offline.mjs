import { spawn, spawnSync } from 'node:child_process'

/** Root needs no mapping; others keep their user id, so that permission tests stay meaningful. */
const UNSHARE = process.getuid?.() === 0 ? ['-n'] : ['--map-current-user', '--keep-caps', '-n']
const inside = (words) => [...UNSHARE, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...words]

/** Whether this process can start others without any network except loopback. */
export function canRunOffline() {
  return process.platform === 'linux' && spawnSync('unshare', inside(['true'])).status === 0
}

/** Runs a command without network. Resolves to its exit code. */
export function runOffline(command, args) {
  const child = spawn('unshare', inside([command, ...args]), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
