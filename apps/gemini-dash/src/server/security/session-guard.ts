import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import type { Access } from '../../access/access.ts'
import { ApiFailure } from '../contract/api-failure.ts'
import { kindOfRequest } from '../contract/route-table.ts'
import { contentSecurityPolicy } from './security-headers.ts'
import { readSessionCookie, sessionCookie } from './session-cookie.ts'

const HOW_TO_GET_A_CODE = `<pre>gemini-dash url</pre>
<p>In a clone of the repository that is <code>npm start -- url</code>.</p>`
const SENTENCES: Record<SignInReason, string> = {
  'no-session': `<h1>This browser is not signed in yet</h1>
<p>Your sessions are shown only to browsers that you let in yourself.
Open the address that gemini-dash printed in the terminal, or get a fresh one:</p>
${HOW_TO_GET_A_CODE}
<p><a href="/">Try again</a></p>`,
  'used-code': `<h1>This address has been used already</h1>
<p>An address from the terminal works once, within ten minutes. If it was you who used it in this browser,
<a href="/">go to the dashboard</a>. Otherwise get a fresh one:</p>
${HOW_TO_GET_A_CODE}`,
  away: `<h1>No browser can be signed in now</h1>
<p>The data folder of gemini-dash was moved or deleted while it runs. Move it back, or start gemini-dash again.</p>
<p><a href="/">Try again</a></p>`,
}
const NOT_SIGNED_IN = 'Open the address that `gemini-dash url` prints to sign this browser in.'
const AWAY =
  'The data folder of gemini-dash is gone, so no browser can be signed in: move it back, or start gemini-dash again.'
const STYLE = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#fafafa, #131314); color: light-dark(#1f1f1f, #e3e3e3) }
main { max-width: 30rem; padding: 2rem }
h1 { font-size: 1.25rem; font-weight: 600; line-height: 1.3; margin: 0 0 .75rem }
p { margin: 0 0 1rem }
pre { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .5rem; background: light-dark(#ececec, #26272a); font: 14px/1.5 ui-monospace, monospace }
a { color: inherit }
`
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

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
    if (!hasSession(request, access)) return refuse(request, reply, access.isAway())
  })

  function exchange(code: string, request: FastifyRequest, reply: FastifyReply) {
    reply.header('Cache-Control', 'private, no-store')
    if (access.isAway()) return sendSignInPage(request, reply, 'away')
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

function refuse(request: FastifyRequest, reply: FastifyReply, isAway: boolean) {
  if (kindOfRequest(request) === 'page') return sendSignInPage(request, reply, isAway ? 'away' : 'no-session')
  throw new ApiFailure('forbidden', isAway ? AWAY : NOT_SIGNED_IN)
}

function portOf(request: FastifyRequest): number {
  return request.socket.localPort ?? 0
}

type SignInReason = 'no-session' | 'used-code' | 'away'

/** What a browser without a session sees: it holds nothing but how to get in. */
function sendSignInPage(request: FastifyRequest, reply: FastifyReply, reason: SignInReason): FastifyReply {
  return reply
    .code(403)
    .header('Content-Security-Policy', contentSecurityPolicy([STYLE_HASH]))
    .type('text/html; charset=utf-8')
    .send(signInPage(reason, reason === 'no-session' && isCookieWithheld(request)))
}

/**
 * A `SameSite=Strict` cookie is not sent when a link or a local file leads here, not even after the redirect
 * that has just set it. Asking once more from our own page sends it; that second request is `same-origin`, so it
 * cannot repeat.
 */
function isCookieWithheld(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}

function signInPage(reason: SignInReason, isAskingAgain: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${isAskingAgain ? '<meta http-equiv="refresh" content="0">' : ''}
<title>Sign in - gemini-dash</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${isAskingAgain ? '<p>Opening your dashboard</p>' : SENTENCES[reason]}
</main>
</body>
</html>
`
}
