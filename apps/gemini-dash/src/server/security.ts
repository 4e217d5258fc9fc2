import { createHash } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiError } from '@gemini-dash/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import type { Access } from '../access.ts'
import {
  allowedHosts,
  allowedOrigins,
  isLoopback,
  readHost,
  readSessionCookie,
  type ServedNames,
  sessionCookie,
} from './allowed-hosts.ts'
import {
  ApiFailure,
  bodyLimitOf,
  changingMethodOf,
  kindOfRequest,
  type RouteKind,
  tooLargeBody,
} from './contract.ts'

/** A refusal where there is no Fastify reply to fill in: headers, `Connection: close`, and the error envelope. */
export function refusalText(failure: ApiFailure): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(envelope(failure))
  const headers = {
    ...SECURITY_HEADERS,
    'Cache-Control': 'private, no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  return { headers, body }
}

export function envelope({ code, message, keys }: ApiFailure): ApiError {
  return { error: { code, message, ...(keys === undefined ? {} : { keys }) } }
}

/**
 * Everything is loaded from this server or inlined by it; scripts may not turn text into markup. `styleSources`: hashes of the inline
 * styles of a standalone page.
 */
function contentSecurityPolicy(styleSources: string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styleSources].join(' '),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types gemini-dash',
  ].join('; ')
}

/** On every response, errors included. No HSTS: it would also apply to every other program on localhost. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'X-Robots-Tag': 'noindex',
}

const CACHE_CONTROL_OF: Record<RouteKind, string> = {
  page: 'no-cache',
  asset: 'public, max-age=31536000, immutable',
  api: 'private, no-store',
  stream: 'private, no-store',
}

export const securityHeaders = plugin(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS).header('Cache-Control', CACHE_CONTROL_OF[kindOfRequest(request)])
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode >= 400) forgetWhenCached(reply)
    return payload
  })
})

function forgetWhenCached(reply: FastifyReply): void {
  reply.header('Cache-Control', 'private, no-store')
}

const MAX_CONNECTIONS = 100
/** A connection without activity makes room for a new one after this time: browsers open some in advance. */
const GRACE_MS = 2_000
/** Refused connections whose request is awaited so that it can be answered; one more drops the first. */
const MAX_REFUSING = 20
const REFUSING_MS = 1_000
/** How long after the last refusal it is still reported. */
const REPORT_MS = 60_000

const REFUSAL = 'Too many connections are open. Try again in a moment.'
const RETRY = { 'Retry-After': '1' }

interface Connection {
  /** It has sent a request that every guard let pass. */
  isAdmitted: boolean
  /** When it became idle; null: a request is being answered. */
  waitingSinceMs: number | null
  /** Bytes of it that belong to completely read requests. */
  bytesRead: number
}

/**
 * At the limit a new connection replaces one that sends its request slowly, or else an idle one: one of a client that was never admitted,
 * if there is any, so that those cannot lock anyone out. If all are being answered, the new one is refused with 503, and this is reported
 * on stderr and in health.
 */
export class ConnectionLimit {
  readonly #tell: (sentence: string | null) => void
  readonly #open = new Map<Socket, Connection>()
  readonly #refused = new Set<Socket>()
  #refusals = 0
  #clearLater: NodeJS.Timeout | undefined

  /** `tell`: called with a sentence about how many were refused, which lasts until a minute has passed without a refusal; null: none. */
  constructor(server: Server, tell: (sentence: string | null) => void) {
    this.#tell = tell
    server.on('connection', (socket: Socket) => this.#take(socket))
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#follow(request, response),
    )
    server.on('close', () => clearTimeout(this.#clearLater))
  }

  isRefused(socket: Socket): boolean {
    return this.#refused.has(socket)
  }

  /** Every guard let a request of it pass. */
  noteAdmitted(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection !== undefined) connection.isAdmitted = true
  }

  #take(socket: Socket): void {
    if (this.#open.size >= MAX_CONNECTIONS) this.#makeRoom()
    if (this.#open.size >= MAX_CONNECTIONS) this.#refuse(socket)
    else {
      this.#open.set(socket, { isAdmitted: false, waitingSinceMs: performance.now(), bytesRead: 0 })
      socket.once('close', () => this.#open.delete(socket))
    }
  }

  /**
   * Closes an idle connection, one that was never admitted if there is any: first those with an unfinished request, then the one idle the
   * longest.
   */
  #makeRoom(): void {
    const beforeMs = performance.now() - GRACE_MS
    const idle = [...this.#open].flatMap(([socket, { isAdmitted, waitingSinceMs, bytesRead }]) =>
      waitingSinceMs === null
        ? []
        : [{ socket, isAdmitted, waitingSinceMs, isAsking: socket.bytesRead > bytesRead }],
    )
    const strangers = idle.filter(({ isAdmitted }) => !isAdmitted)
    const [last] = (strangers.length > 0 ? strangers : idle)
      .filter(({ waitingSinceMs }) => waitingSinceMs <= beforeMs)
      .sort((a, b) => Number(b.isAsking) - Number(a.isAsking) || a.waitingSinceMs - b.waitingSinceMs)
    if (last === undefined) return
    this.#open.delete(last.socket)
    sayNo(last.socket)
  }

  #refuse(socket: Socket): void {
    this.#count()
    const [first] = this.#refused
    if (first !== undefined && this.#refused.size >= MAX_REFUSING) {
      this.#refused.delete(first)
      sayNo(first)
    }
    this.#refused.add(socket)
    const timer = setTimeout(() => sayNo(socket), REFUSING_MS).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      this.#refused.delete(socket)
    })
  }

  #follow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const begin = () => {
      connection.waitingSinceMs = null
    }
    // a body that is still arriving slowly is not being answered yet
    if (request.complete || !hasBody(request)) begin()
    else request.once('end', begin)
    response.once('close', () => {
      connection.waitingSinceMs = performance.now()
      connection.bytesRead = socket.bytesRead
    })
  }

  #count(): void {
    this.#refusals += 1
    const count = this.#refusals === 1 ? '1 was refused' : `${this.#refusals} were refused`
    this.#tell(`All ${MAX_CONNECTIONS} connections to the dashboard were in use, so ${count}.`)
    clearTimeout(this.#clearLater)
    this.#clearLater = setTimeout(() => {
      this.#refusals = 0
      this.#tell(null)
    }, REPORT_MS).unref()
  }
}

/**
 * Answers the request of a refused connection, if the client is allowed to ask at all. Must be registered after the guards of Host and
 * Origin.
 */
export const refuseBeyondLimit = plugin<{ limit: ConnectionLimit }>(async (app, { limit }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (!limit.isRefused(request.raw.socket)) return
    reply.headers(RETRY)
    throw new ApiFailure('unavailable', REFUSAL)
  })
})

/** Must be registered after all guards. */
export const noteAdmitted = plugin<{ limit: ConnectionLimit }>(async (app, { limit }) => {
  app.addHook('onRequest', async (request) => limit.noteAdmitted(request.raw.socket))
})

/** For a connection whose request is missing or incomplete; if none was begun, there is nothing to answer. */
function sayNo(socket: Socket): void {
  if (!socket.writable || socket.bytesRead === 0) return void socket.destroy()
  const { headers, body } = refusalText(new ApiFailure('unavailable', REFUSAL))
  const lines = Object.entries({ ...headers, ...RETRY }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const HOW_TO_GET_A_CODE = `<pre>gemini-dash url</pre>
<p>In a clone of the repository that is <code>npm start -- url</code>.</p>`
const SENTENCES: Record<SignInReason, string> = {
  'no-session': `<h1>Sign in: open the link from your terminal</h1>
<p>Your sessions are shown only to browsers that you signed in.
Open the link that gemini-dash printed in the terminal, or get a new one:</p>
${HOW_TO_GET_A_CODE}
<p><a href="/">Try again</a></p>`,
  'used-code': `<h1>This link has expired or was already used</h1>
<p>A link from the terminal works once, within ten minutes. If you used it in this browser,
<a href="/">go to the dashboard</a>. Otherwise get a new one:</p>
${HOW_TO_GET_A_CODE}`,
  hindered: `<h1>Sign-in is unavailable</h1>
<p>The data folder of gemini-dash was moved or deleted. Move it back and open this page again, or restart gemini-dash.</p>
<p><a href="/">Try again</a></p>`,
}
const STYLE = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#fafafa, #131314); color: light-dark(#1f1f1f, #e3e3e3) }
main { max-width: 36rem; padding: 2rem; overflow-wrap: anywhere }
h1 { font-size: 1.25rem; font-weight: 600; line-height: 1.3; margin: 0 0 .75rem }
p { margin: 0 0 1rem }
pre { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .5rem; background: light-dark(#ececec, #26272a); font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap }
a { color: inherit }
`
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

interface SessionGuardOptions {
  access: Access
  /** Where a browser lands after the exchange of its code. */
  landingPath: () => string
}

/** Every page and route requires the session cookie, even on loopback: other users of the host can connect, too. */
export const sessionGuard = plugin(async (app, { access, landingPath }: SessionGuardOptions) => {
  app.addHook('onRequest', async (request, reply) => {
    const code = offeredCode(request)
    if (code !== null) return exchange(code, request, reply)
    if (!hasSession(request, access)) return refuse(request, reply, access.hindrance())
  })

  function exchange(code: string, request: FastifyRequest, reply: FastifyReply) {
    reply.header('Cache-Control', 'private, no-store')
    if (request.method !== 'GET' || !access.codes.redeem(code))
      return sendSignInPage(request, reply, access.hindrance() === null ? 'used-code' : 'hindered')
    const cookie = sessionCookie(portOf(request), access.browserSessions.issue())
    return reply.header('Set-Cookie', cookie).redirect(landingPath(), 303)
  }
})

/** Only at `/`, so that no other URL contains secrets. */
function offeredCode(request: FastifyRequest): string | null {
  if (!request.url.startsWith('/?')) return null
  return new URLSearchParams(request.url.slice('/?'.length)).get('code')
}

function hasSession(request: FastifyRequest, access: Access): boolean {
  const token = readSessionCookie(request.headers.cookie, portOf(request))
  return token !== null && (access.browserSessions.isValid(token) || access.commandSessions.isValid(token))
}

function refuse(request: FastifyRequest, reply: FastifyReply, hindrance: string | null) {
  if (kindOfRequest(request) === 'page')
    return sendSignInPage(request, reply, hindrance === null ? 'no-session' : 'hindered')
  throw new ApiFailure(
    'forbidden',
    hindrance ?? 'To sign in this browser, open the link that `gemini-dash url` prints.',
  )
}

function portOf(request: FastifyRequest): number {
  return request.socket.localPort ?? 0
}

type SignInReason = 'no-session' | 'used-code' | 'hindered'

/** What a browser without a session sees: only how to sign in. */
function sendSignInPage(request: FastifyRequest, reply: FastifyReply, reason: SignInReason): FastifyReply {
  const isAskingAgain = reason === 'no-session' && isCookieWithheld(request)
  return sendPlainPage(reply, {
    title: 'Sign in',
    body: isAskingAgain ? '<p>Opening your dashboard</p>' : SENTENCES[reason],
    head: isAskingAgain ? '<meta http-equiv="refresh" content="0">' : '',
  })
}

/** `body` and `head` are markup. */
function sendPlainPage(
  reply: FastifyReply,
  { title, body, head = '', status = 403 }: { title: string; body: string; head?: string; status?: number },
): FastifyReply {
  return reply
    .code(status)
    .header('Content-Security-Policy', contentSecurityPolicy([STYLE_HASH]))
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${head}
<title>${title} - gemini-dash</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`)
}

/**
 * A `SameSite=Strict` cookie is not sent when a link or a local file leads here, not even after the redirect that has just set it. A second
 * request from our own page sends it; since that one is `same-origin`, this cannot loop.
 */
function isCookieWithheld(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}

/** Why a request is refused, and how to fix it. Contains no data; the request may be hostile. */
interface Refused {
  title: string
  why: string
  /** Sentences, each with its command; the commands contain only what `readHost` has validated. */
  cure: [sentence: string, command: string][]
  last: string
}

const CLONE = 'In a clone of the repository, “gemini-dash” is “npm start --”.'

function refusedHost(request: IncomingMessage): Refused {
  const asked = onlyHostHeader(request.rawHeaders)
  const title =
    asked === null ? 'This request names no address' : `gemini-dash doesn’t answer at ${shown(asked)}`
  const ownPort = request.socket.localPort ?? 0
  const why = `It answers only at its own addresses and port ${ownPort}, so that no other website can read your sessions.`
  const host = asked === null ? null : readHost(asked)
  if (host === null) return { title, why, cure: [], last: '' }
  if (host.name !== '[::1]' && !isLoopback(host.name))
    return { title, why, ...cureOfName(asked ?? '', ownPort) }
  const port = host.port ?? 80
  return {
    title,
    why,
    cure: [
      ['Use one port on both sides. Stop gemini-dash and start it with:', `gemini-dash --port ${port}`],
      ['Over SSH, connect with:', `ssh -L ${port}:localhost:${port} HOST`],
    ],
    last: `HOST is the machine that gemini-dash runs on. Then open the link that it prints. ${CLONE}`,
  }
}

function cureOfName(asked: string, ownPort: number): Pick<Refused, 'cure' | 'last'> {
  const host = asked.toLowerCase().replace(/:443$/, '')
  return {
    cure: [
      [
        'If you set up this address yourself (a proxy, Codespaces, Tailscale), stop gemini-dash and start it with:',
        `gemini-dash --port ${ownPort} --allow-host ${host}`,
      ],
    ],
    last: `It then prints a link for https://${host} too. ${CLONE} If you don’t know this address, close this page.`,
  }
}

function refusedOrigin({ headers: { origin }, socket }: FastifyRequest): Refused {
  const host = origin?.startsWith('https://') ? origin.slice('https://'.length) : ''
  const cure = readHost(host) === null ? { cure: [], last: '' } : cureOfName(host, socket.localPort ?? 0)
  return {
    title: `Requests from ${origin === undefined ? 'other websites' : shown(origin)} aren’t answered`,
    why: 'gemini-dash answers only its own pages, so that no other website can read your sessions.',
    ...cure,
  }
}

/** Makes untrusted text printable. */
function shown(text: string): string {
  const plain = text.replace(/[^ -~]/g, '?')
  return `“${plain.length > 100 ? `${plain.slice(0, 100)}…` : plain}”`
}

function asFailure({ title, why, cure, last }: Refused): ApiFailure {
  const steps = cure.map(([sentence, command]) => `${sentence} ${command}`)
  return new ApiFailure('foreign', [`${title}.`, why, ...steps, last].join(' ').trim())
}

/** For a foreign host, where no Fastify hook has run. */
export function foreignHost(request: IncomingMessage): ApiFailure {
  return asFailure(refusedHost(request))
}

/** A page for browsers, JSON for programs. */
function turnAway(request: FastifyRequest, reply: FastifyReply, refused: Refused): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) throw asFailure(refused)
  const { title, why, cure, last } = refused
  const steps = cure.map(
    ([sentence, command]) => `<p>${escapeMarkup(sentence)}</p>\n<pre>${escapeMarkup(command)}</pre>`,
  )
  const lines = [
    `<h1>${escapeMarkup(title)}</h1>`,
    `<p>${why}</p>`,
    ...steps,
    last === '' ? '' : `<p>${last}</p>`,
  ]
  reply.header('Cache-Control', 'private, no-store')
  return sendPlainPage(reply, { title: 'Not answered', body: lines.join('\n') })
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Stops DNS rebinding: a page of evil.example whose name now resolves here is same-origin to the browser and sends no `Origin` at all, but
 * it cannot hide the name in `Host`.
 */
export const hostGuard = plugin(async (app, { served }: { served: ServedNames }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (!isForThisServer(request.raw, served)) return turnAway(request, reply, refusedHost(request.raw))
  })
})

export function isForThisServer(request: IncomingMessage, served: ServedNames): boolean {
  // `GET http://elsewhere/` would otherwise be routed by its path, whatever `Host` is.
  if (!request.url?.startsWith('/')) return false
  const host = onlyHostHeader(request.rawHeaders)
  const port = request.socket.localPort
  return host !== null && port !== undefined && allowedHosts(served, port).has(host.toLowerCase())
}

/** `request.headers.host` is the first of several; a proxy in between might have used the last. */
function onlyHostHeader(rawHeaders: string[]): string | null {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host')
  return values.length === 1 ? (values[0] ?? null) : null
}

export const MAX_URL_LENGTH = 8 * 1024
const TOO_LONG = {
  status: 414,
  title: 'Address too long',
  body: `<h1>This address is too long</h1>
<p>Addresses are limited to 8 KB. <a href="/search">Search</a> for a shorter text, or paste it into the search box, which cuts it.</p>`,
}

/** Requests to this server are short. The route table defines which routes accept a body, and how large it may be. */
export const requestLimits = plugin(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.length > MAX_URL_LENGTH) {
      if (request.headers.accept?.includes('text/html')) return sendPlainPage(reply, TOO_LONG)
      throw new ApiFailure('too-large', 'The address is longer than 8 KB.', { status: 414 })
    }
    const bodyBytes = Number(request.headers['content-length'] ?? 0)
    const { url } = request.routeOptions
    if (bodyBytes > bodyLimitOf(url)) throw tooLargeBody(url)
    if (request.method === changingMethodOf(url)) return
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply.header('Allow', 'GET, HEAD')
      throw new ApiFailure('method-not-allowed', 'Only GET and HEAD are answered.')
    }
  })
})

/** Stops other pages in the same browser, for every kind of request: script, image, frame, fetch or event stream. */
export const originGuard = plugin(async (app, { served }: { served: ServedNames }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (!isOwnOrigin(request, served) || !isFromOwnPage(request))
      return turnAway(request, reply, refusedOrigin(request))
  })
})

/** Compared as text, never parsed: `null` and junk are not in the list. */
function isOwnOrigin(request: FastifyRequest, served: ServedNames): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  const port = request.socket.localPort
  return port !== undefined && allowedOrigins(served, port).has(origin.toLowerCase())
}

/**
 * Browsers report the origin of a request; other programs send nothing and are identified by the cookie. A link elsewhere may open a page
 * in a tab, but not load anything: not in a frame, and never `/api`.
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
