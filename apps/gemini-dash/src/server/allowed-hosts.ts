import { hostname, networkInterfaces } from 'node:os'
import { SESSION_LIFETIME_MS } from '../access.ts'

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]'])

/**
 * The names under which this server may be addressed, lower case, without port. A list of our own is needed: comparing `Origin` with `Host`
 * proves nothing, since after DNS rebinding both name the attacker.
 */
export function allowedNames(bindAddress: string): string[] {
  if (isLoopback(bindAddress)) return LOOPBACK_NAMES
  const names = isWildcard(bindAddress) ? [...ownAddresses(), hostname()] : [inUrl(bindAddress)]
  return [...LOOPBACK_NAMES, ...names.map((name) => name.toLowerCase())]
}

/** How this server may be addressed. */
export interface ServedNames {
  /** With its own port. */
  names: string[]
  /** Hosts of an HTTPS proxy in front of it, from `--allow-host`: `name`, or `name:port` if that is not 443; lower case. */
  allowed: string[]
}

/** The exact values of `Host` that refer to this server on that port. */
export function allowedHosts({ names, allowed }: ServedNames, port: number): Set<string> {
  const own = names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  return new Set([
    ...own,
    ...allowed.flatMap((host) => (/:\d+$/.test(host) ? [host] : [host, `${host}:443`])),
  ])
}

/** The exact values of `Origin` of its own pages. */
export function allowedOrigins({ names, allowed }: ServedNames, port: number): Set<string> {
  const own = [...allowedHosts({ names, allowed: [] }, port)].map((host) => `http://${host}`)
  return new Set([...own, ...allowed.map((host) => `https://${host}`)])
}

const HOST =
  /^([a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*|\[[\da-f:]+\])(?::(\d{1,5}))?$/

/** A valid value of `Host`, in lower case; null for all others. */
export function readHost(host: string): { name: string; port: number | null } | null {
  if (host.length > 255) return null
  const [, name, port] = HOST.exec(host.toLowerCase()) ?? []
  return name === undefined ? null : { name, port: port === undefined ? null : Number(port) }
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address)
}

/** Whether it means every address of this machine. */
export function isWildcard(address: string): boolean {
  return WILDCARDS.has(address)
}

/** IPv6 addresses are in brackets in a URL and in `Host`. */
export function inUrl(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
}

function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.filter((each) => !each.internal).map((each) => inUrl(each.address))
}

/** Cookies are shared by all ports of a host, so the name contains the port. */
export function sessionCookieName(port: number): string {
  return `gemini-dash-${port}`
}

export function sessionCookie(port: number, token: string): string {
  const maxAgeSeconds = SESSION_LIFETIME_MS / 1000
  return `${sessionCookieName(port)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
}

/** The value sent back by the browser, or null. If several cookies have the name, only the first counts. */
export function readSessionCookie(header: string | undefined, port: number): string | null {
  const prefix = `${sessionCookieName(port)}=`
  const pair = header?.split(';').find((each) => each.trim().startsWith(prefix))
  return pair?.trim().slice(prefix.length) ?? null
}
