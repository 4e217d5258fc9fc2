import { hostname, networkInterfaces } from 'node:os'

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
