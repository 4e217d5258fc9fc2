import type { FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { ApiFailure } from '../contract/api-failure.ts'
import { kindOfRequest } from '../contract/route-table.ts'
import { allowedHosts } from './allowed-hosts.ts'

/** Stops other pages of the same browser, whatever the request: script, image, frame, fetch or event stream. */
export const originGuard = plugin(async (app, { names }: { names: string[] }) => {
  app.addHook('onRequest', async (request) => {
    if (!isOwnOrigin(request, names) || !isFromOwnPage(request)) {
      throw new ApiFailure('forbidden', 'Requests from other origins are not served.')
    }
  })
})

/** Compared as text, never parsed: `null` and junk are simply not in the list. */
function isOwnOrigin(request: FastifyRequest, names: string[]): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  const port = request.socket.localPort
  if (port === undefined || !origin.startsWith('http://')) return false
  return allowedHosts(names, port).has(origin.slice('http://'.length).toLowerCase())
}

/**
 * Browsers say where a request comes from; other programs send nothing and are told apart by the cookie.
 * A link elsewhere may lead a whole tab to a page, but load nothing: not in a frame, and never `/api`.
 */
function isFromOwnPage(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return (
    kindOfRequest(request) === 'page' &&
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.headers['sec-fetch-dest'] === 'document'
  )
}
