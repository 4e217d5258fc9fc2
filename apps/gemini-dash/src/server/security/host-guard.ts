import type { IncomingMessage } from 'node:http'
import plugin from 'fastify-plugin'
import { ApiFailure } from '../contract/api-failure.ts'
import { allowedHosts } from './allowed-hosts.ts'

export const FOREIGN_HOST = 'This address is not served.'

/**
 * Stops DNS rebinding: a page of evil.example whose name now points here is same-origin to the browser and
 * sends no `Origin` at all, but it cannot hide the name in `Host`.
 */
export const hostGuard = plugin(async (app, { names }: { names: string[] }) => {
  app.addHook('onRequest', async (request) => {
    if (!isForThisServer(request.raw, names)) throw new ApiFailure('forbidden', FOREIGN_HOST)
  })
})

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
