import { spawnSync } from 'node:child_process'

/** As root nothing needs to be mapped; others keep their number, so that tests of permissions mean what they say. */
const UNSHARE = process.getuid?.() === 0 ? ['-n'] : ['--map-current-user', '--keep-caps', '-n']
const LOOPBACK_UP = 'ip link set lo up && exec "$@"'

/** Runs a command where there is no network but loopback, and answers its exit code. Throws where nobody may have that. */
export function runOffline(command, args) {
  const inside = (words, stdio) =>
    spawnSync('unshare', [...UNSHARE, 'sh', '-c', LOOPBACK_UP, 'sh', ...words], { stdio }).status
  if (process.platform !== 'linux' || inside(['true'], 'ignore') !== 0)
    throw new Error('--offline needs Linux, ip, and the right to have a network of its own (unshare -n).')
  return inside([command, ...args], 'inherit') ?? 1
}
