import type { ApiError } from '@gemini-dash/api'
import { CHANGE_POSITION_HEADER } from '@gemini-dash/api/paths'
import { ApiRequestError } from './api-request-error.ts'
import { changePosition } from './change-position.ts'
import { connection } from './connection.ts'

export interface Sent {
  method: 'PUT' | 'POST'
  body: unknown
  /** It is sent also where the page goes meanwhile. */
  outlivesPage?: boolean
}

interface Asked {
  /** Media type of the answer. */
  accept: string
  signal?: AbortSignal | undefined
  sent?: Sent | undefined
}

/**
 * One GET, or what is `sent`, up to the head of its answer.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
 */
export async function fetchAnswer(path: string, asked: Asked): Promise<Response> {
  const response = await request(path, asked)
  if (!response.ok) throw await toError(response)
  const at = response.headers.get(CHANGE_POSITION_HEADER)
  if (at !== null) changePosition.answered(Number(at))
  return response
}

/**
 * What is read of an answer, or why it cannot be read to its end.
 * @throws {ApiRequestError} when the server goes meanwhile.
 */
export async function readAnswer<Read>(reading: Promise<Read> | undefined, signal?: AbortSignal) {
  try {
    return await reading
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable()
  }
}

async function request(path: string, { accept, signal, sent }: Asked): Promise<Response> {
  try {
    const headers = { accept, ...(sent && { 'content-type': 'application/json' }) }
    const content = sent && {
      method: sent.method,
      body: JSON.stringify(sent.body),
      keepalive: sent.outlivesPage === true,
    }
    return await fetch(path, { headers, signal: signal ?? null, ...content })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable()
  }
}

export function unreachable(): ApiRequestError {
  return new ApiRequestError(0, 'unreachable', 'gemini-dash does not answer. It may have been stopped.')
}

async function toError(response: Response): Promise<ApiRequestError> {
  const body: Partial<ApiError> | null = await response.json().catch(() => null)
  const error = body?.error
  // A proxy, or a server that is just going down, answers without our envelope.
  if (!error)
    return new ApiRequestError(response.status, 'internal', `The server answered ${response.status}.`)
  if (error.code === 'forbidden') connection.set('forbidden')
  return new ApiRequestError(response.status, error.code, error.message, error.keys)
}
