import { fetchAnswer, type Sent } from './fetch-answer.ts'

/**
 * One GET, or what is `sent`. The answer is not validated again here: the server checks it against the same schema `T` is made from.
 * @throws {ApiRequestError} for every failed answer, and when the server cannot be reached.
 */
export async function fetchJson<T>(path: string, signal?: AbortSignal, sent?: Sent): Promise<T> {
  const response = await fetchAnswer(path, { accept: 'application/json', signal, sent })
  return (await response.json()) as T
}
