import type { ApiError } from '@gemini-dash/api'
import type { ApiFailure } from '../contract/api-failure.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** A refusal where there is no reply of Fastify to fill in: its headers, the end of the connection, and the one envelope. */
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

/** The same as bytes, for a connection whose request Fastify has not seen. */
export function refusalBytes(failure: ApiFailure, reason: string, more: Record<string, string> = {}): string {
  const { headers, body } = refusalText(failure)
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${failure.status} ${reason}\r\n${lines.join('')}\r\n${body}`
}

export function envelope({ code, message, keys }: ApiFailure): ApiError {
  return { error: { code, message, ...(keys === undefined ? {} : { keys }) } }
}
