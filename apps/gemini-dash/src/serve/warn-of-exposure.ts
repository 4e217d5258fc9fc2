import { allowedNames, isLoopback } from '../server/security/allowed-hosts.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ServeSettings } from './serve-settings.ts'

/** Says aloud who else can reach what is shown. */
export function warnOfExposure(
  { host, isTokenWanted }: ServeSettings,
  port: number,
  terminal: Terminal,
): void {
  if (!isTokenWanted) {
    terminal.note('Without a token every user and program of this machine can read your sessions.')
  }
  if (isLoopback(host)) return
  const addresses = allowedNames(host).map((name) => `http://${name}:${port}/`)
  terminal.note(
    `Other machines can reach this server, and nothing on the way is encrypted: ${addresses.join(' ')}`,
  )
  terminal.note('Each browser needs an address of its own with a code: "gemini-dash url" prints one.')
}
