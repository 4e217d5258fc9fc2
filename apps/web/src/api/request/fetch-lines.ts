import { fetchAnswer, readAnswer, unreachable } from './fetch-answer.ts'

/**
 * An answer that grows while it is made: each line is one, and the last of them is complete.
 * @throws {ApiRequestError} for every failed answer, and when the server is gone before the end.
 */
export async function fetchLines<T>(
  path: string,
  signal: AbortSignal,
  onLine: (answer: T) => void,
): Promise<T> {
  const response = await fetchAnswer(path, { accept: 'application/x-ndjson', signal })
  const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let last: T | undefined
  const next = async () => (await readAnswer(lines?.read(), signal))?.value
  for (let text = await next(); text !== undefined; text = await next()) {
    const whole = `${rest}${text}`.split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) {
      last = JSON.parse(line) as T
      onLine(last)
    }
  }
  if (last === undefined) throw unreachable()
  return last
}
