import { resolve } from 'node:path'
import { isLoopback } from '../server/security/allowed-hosts.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'
import type { PortWish } from './listen-on-free-port.ts'
import { DEFAULT_PORT } from './listen-on-free-port.ts'

export interface ServeSettings {
  host: string
  portWish: PortWish
  /** The folder whose project is opened, if it is one of the known; it may be gone. */
  folder: string | null
  /** Somebody wrote it: then they want to know if it is none of them. */
  isFolderNamed: boolean
  isTokenWanted: boolean
  /** A server that already shows these homes will do: nothing was asked that it might not give. */
  mayReuse: boolean
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
    flags.port,
    flags.host,
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
  }
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
    // It was deleted under this process.
    return null
  }
}
