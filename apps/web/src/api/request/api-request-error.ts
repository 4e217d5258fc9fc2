import type { ApiErrorCode } from '@gemini-dash/api'

/** What the server answered instead of data. `unreachable`: no answer at all. */
export class ApiRequestError extends Error {
  readonly status: number
  readonly code: ApiErrorCode | 'unreachable'
  /** With `ambiguous`: the keys of the sessions that could be meant. */
  readonly keys: string[]

  constructor(status: number, code: ApiErrorCode | 'unreachable', message: string, keys: string[] = []) {
    super(message)
    this.name = 'ApiRequestError'
    this.status = status
    this.code = code
    this.keys = keys
  }
}

/** Whether the server itself said so: that is true until it has been away. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiRequestError && error.code !== 'unreachable'
}
