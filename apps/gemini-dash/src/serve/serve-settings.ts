import { resolve } from 'node:path'
import { isLoopback, readHost } from '../server/allowed-hosts.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'
import { DEFAULT_PORT, type PortWish } from './listen-on-free-port.ts'

export interface ServeSettings {
  host: string
  portWish: PortWish
  /** The folder whose project page is opened, if the project is known; it may no longer exist. */
  folder: string | null
  /** The user typed it, so they should be told if no project matches. */
  isFolderNamed: boolean
  isTokenWanted: boolean
  /** A server that already shows these homes may be reused: no option was given that it might not satisfy. */
  mayReuse: boolean
  allowedHosts: string[]
}

export function readServeSettings(flags: Flags, positionals: string[]): ServeSettings {
  const host = flags.host ?? '127.0.0.1'
  if (!/^[\w.:[\]-]+$/.test(host)) throw new CliError(2, `--host: "${host}" is not an address.`)
  if (flags['no-token'] && !isLoopback(host)) {
    throw new CliError(
      2,
      `--no-token on ${host} would show your sessions to everyone who can reach this machine.`,
      'Leave out --no-token, or listen on 127.0.0.1.',
    )
  }
  const wantsOwn = [
    flags['strict-port'],
    flags.host,
    flags['allow-host'],
    flags.new,
    flags['no-cache'],
    flags['no-token'],
    flags['no-watch'],
  ]
  return {
    host: host === 'localhost' ? '127.0.0.1' : host,
    portWish: { port: readPort(flags.port), isStrict: flags['strict-port'] === true },
    folder: positionals[0] === undefined ? currentFolder() : resolve(positionals[0]),
    isFolderNamed: positionals[0] !== undefined,
    isTokenWanted: flags['no-token'] !== true,
    mayReuse: wantsOwn.every((flag) => flag === undefined),
    allowedHosts: readAllowedHosts(flags),
  }
}

export function readAllowedHosts(flags: Flags): string[] {
  return (flags['allow-host'] ?? []).map((text) => {
    const host = readHost(text)
    if (host === null)
      throw new CliError(
        2,
        `--allow-host: "${text}" is not a name.`,
        'Write box.example or box.example:8443.',
      )
    if (host.name === '[::1]' || isLoopback(host.name))
      throw new CliError(
        2,
        `--allow-host: ${text} is this machine.`,
        'For another port use --port, and forward it as the same port.',
      )
    return text.toLowerCase().replace(/:443$/, '')
  })
}

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(port) || port > 65_535) {
    throw new CliError(
      2,
      `--port: "${text}" is not a port.`,
      'Ports are numbers from 1 to 65535; 0 takes any free one.',
    )
  }
  return port
}

function currentFolder(): string | null {
  try {
    return process.cwd()
  } catch {
    // It was deleted while this process runs.
    return null
  }
}
