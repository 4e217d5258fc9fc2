import type { FastifyReply } from 'fastify'
import plugin from 'fastify-plugin'
import type { RouteKind } from '../contract/route-table.ts'
import { kindOfRequest } from '../contract/route-table.ts'

/**
 * Everything comes from this server or is drawn by it; scripts may not turn text into markup.
 * `styleSources`: hashes of the inline styles of a page that stands alone.
 */
export function contentSecurityPolicy(styleSources: string[] = []): string {
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

/** On every answer, errors included. No HSTS: it would hold for every other program on localhost too. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
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
