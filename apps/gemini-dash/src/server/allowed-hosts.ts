import { hostname, networkInterfaces } from 'node:os'
import { SESSION_LIFETIME_MS } from '../access.ts'

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]'])

/**
 * The names under which this server may be addressed, lower case, without port. Our own list: comparing
 * `Origin` with `Host` proves nothing, after DNS rebinding both name the attacker.
 */
export function allowedNames(bindAddress: string): string[] {
  if (isLoopback(bindAddress)) return LOOPBACK_NAMES
  const names = isWildcard(bindAddress) ? [...ownAddresses(), hostname()] : [inUrl(bindAddress)]
  return [...LOOPBACK_NAMES, ...names.map((name) => name.toLowerCase())]
}

/** The exact values of `Host` that name this server on that port. */
export function allowedHosts(names: string[], port: number): Set<string> {
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])))
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address)
}

/** Every address of this machine. */
export function isWildcard(address: string): boolean {
  return WILDCARDS.has(address)
}

/** An IPv6 address stands in brackets in a URL and in `Host`. */
export function inUrl(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
}

function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.filter((each) => !each.internal).map((each) => inUrl(each.address))
}

/** Cookies are shared by all ports of a host, so the name holds the port. */
export function sessionCookieName(port: number): string {
  return `gemini-dash-${port}`
}

export function sessionCookie(port: number, token: string): string {
  const maxAgeSeconds = SESSION_LIFETIME_MS / 1000
  return `${sessionCookieName(port)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
}

/** The value sent back by the browser, or null. Of several cookies with the name only the first is looked at. */
export function readSessionCookie(header: string | undefined, port: number): string | null {
  const prefix = `${sessionCookieName(port)}=`
  const pair = header?.split(';').find((each) => each.trim().startsWith(prefix))
  return pair?.trim().slice(prefix.length) ?? null
}
