import type { Placed } from '@gemini-dash/api/patches'
import { CHANGE_POSITION_HEADER } from '@gemini-dash/api/paths'
import { fetchAnswer, readAnswer, type Sent } from './fetch-answer.ts'

/**
 * One GET, or what is `sent`. The answer is not validated again here: the server checks it against the same schema `T` is made from.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
 */
export async function fetchJson<T>(path: string, signal?: AbortSignal, sent?: Sent): Promise<T> {
  const response = await fetchAnswer(path, { accept: 'application/json', signal, sent })
  return (await readAnswer(response.json(), signal)) as T
}

/** The same of a text. */
export async function fetchText(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetchAnswer(path, { accept: '*/*', signal })
  return (await readAnswer(response.text(), signal)) ?? ''
}

/** JSON, with the number of the last change that is in the answer: for answers into which rows of events are put. */
export async function fetchPlaced<T extends object>(path: string, signal?: AbortSignal): Promise<Placed<T>> {
  const response = await fetchAnswer(path, { accept: 'application/json', signal })
  const at = response.headers.get(CHANGE_POSITION_HEADER)
  return { ...((await readAnswer(response.json(), signal)) as T), at: at === null ? undefined : Number(at) }
}
