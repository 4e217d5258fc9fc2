import type { IncomingMessage } from 'node:http'
import { allowedHosts } from './allowed-hosts.ts'

/** `names`: the hosts under which this server is known. */
export function isForThisServer(request: IncomingMessage, names: string[]): boolean {
  // `GET http://elsewhere/` would otherwise be routed by its path, whatever Host says.
  if (!request.url?.startsWith('/')) return false
  const host = onlyHostHeader(request.rawHeaders)
  const port = request.socket.localPort
  return host !== null && port !== undefined && allowedHosts(names, port).has(host.toLowerCase())
}

/** `request.headers.host` is the first of several; whoever stands between might have read the last. */
function onlyHostHeader(rawHeaders: string[]): string | null {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host')
  return values.length === 1 ? (values[0] ?? null) : null
}
