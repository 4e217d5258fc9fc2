import { unreachable } from './fetch-answer.ts'

/**
 * One GET of JSON while the page stands still: for a moment at which the browser waits for nobody, as when it begins to print.
 * @throws where it is refused, and when the server cannot be reached.
 */
export function fetchNow<T>(path: string): T {
  const request = new XMLHttpRequest()
  request.open('GET', path, false)
  request.setRequestHeader('accept', 'application/json')
  request.send()
  if (request.status !== 200) throw unreachable()
  return JSON.parse(request.responseText) as T
}
