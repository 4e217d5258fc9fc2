import type { ApiErrorCode } from '@gemini-dash/api'

const STATUS_OF: Record<ApiErrorCode, number> = {
  'bad-request': 400,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  ambiguous: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  'reader-stopped': 503,
  'reader-timeout': 504,
  'reader-unsendable': 500,
}

/** An answer that is not what was asked for. Thrown by routes and guards, sent as the one envelope. */
export class ApiFailure extends Error {
  readonly code: ApiErrorCode
  readonly status: number
  readonly keys: string[] | undefined

  constructor(code: ApiErrorCode, message: string, details: { status?: number; keys?: string[] } = {}) {
    super(message)
    this.code = code
    this.status = details.status ?? STATUS_OF[code]
    this.keys = details.keys
  }
}
