import type { ApiError } from '@gemini-dash/api'
import { ApiRequestError } from './api-request-error.ts'

interface Sent {
  method: 'PUT' | 'POST'
  body: unknown
}

/**
 * One GET, or what is `sent`. The answer is not validated again here: the server checks it against the same schema `T` is made from.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
 */
export async function fetchJson<T>(path: string, signal?: AbortSignal, sent?: Sent): Promise<T> {
  const response = await request(path, signal, sent)
  if (!response.ok) throw await toError(response)
  return (await response.json()) as T
}

async function request(path: string, signal?: AbortSignal, sent?: Sent): Promise<Response> {
  try {
    const headers = { accept: 'application/json', ...(sent && { 'content-type': 'application/json' }) }
    const content = sent && { method: sent.method, body: JSON.stringify(sent.body) }
    return await fetch(path, { headers, signal: signal ?? null, ...content })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiRequestError(0, 'unreachable', 'gemini-dash does not answer. It may have been stopped.')
  }
}

async function toError(response: Response): Promise<ApiRequestError> {
  const body: Partial<ApiError> | null = await response.json().catch(() => null)
  const error = body?.error
  // A proxy, or a server that is just going down, answers without our envelope.
  if (!error)
    return new ApiRequestError(response.status, 'internal', `The server answered ${response.status}.`)
  return new ApiRequestError(response.status, error.code, error.message, error.keys)
}
