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

export function envelope({ code, message, keys }: ApiFailure): ApiError {
  return { error: { code, message, ...(keys === undefined ? {} : { keys }) } }
}
