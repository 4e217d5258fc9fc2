import type { FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import type { Access } from '../../access/access.ts'
import { ApiFailure } from '../contract/api-failure.ts'
import { kindOfRequest } from '../contract/route-table.ts'
import { readSessionCookie, sessionCookie } from './session-cookie.ts'
import { sendSignInPage } from './sign-in-page.ts'

export interface SessionGuardOptions {
  access: Access
  /** Where a browser arrives after the exchange of its code. */
  landingPath: () => string
}

/** Every page and route wants the session cookie, also on loopback: other users of the host can connect too. */
export const sessionGuard = plugin(async (app, { access, landingPath }: SessionGuardOptions) => {
  app.addHook('onRequest', async (request, reply) => {
    const code = offeredCode(request)
    if (code !== null) return exchange(code, request, reply)
    if (!hasSession(request, access)) return refuse(request, reply)
  })

  function exchange(code: string, request: FastifyRequest, reply: FastifyReply) {
    reply.header('Cache-Control', 'private, no-store')
    if (request.method !== 'GET' || !access.codes.redeem(code))
      return sendSignInPage(request, reply, 'used-code')
    const cookie = sessionCookie(portOf(request), access.browserSessions.issue())
    return reply.header('Set-Cookie', cookie).redirect(landingPath(), 303)
  }
})

/** Only at `/`, so that no other address takes secrets. */
function offeredCode(request: FastifyRequest): string | null {
  if (!request.url.startsWith('/?')) return null
  return new URLSearchParams(request.url.slice('/?'.length)).get('code')
}

function hasSession(request: FastifyRequest, access: Access): boolean {
  const token = readSessionCookie(request.headers.cookie, portOf(request))
  return token !== null && (access.browserSessions.isValid(token) || access.commandSessions.isValid(token))
}

function refuse(request: FastifyRequest, reply: FastifyReply) {
  if (kindOfRequest(request) === 'page') return sendSignInPage(request, reply, 'no-session')
  throw new ApiFailure('forbidden', 'Open the address that `gemini-dash url` prints to sign this browser in.')
}

function portOf(request: FastifyRequest): number {
  return request.socket.localPort ?? 0
}
