import type { SessionAnswer, SessionParameters, SessionQuestion } from '@gemini-dash/api'
import { sessionPath } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

/** Stay drawn while the next answer is on its way. */
const STAYING: ReadonlySet<SessionQuestion> = new Set(['context', 'waste', 'reasoning', 'what-if'])

/** Any question about one session, as the api's table has it. Asked again when the session changes. */
export function sessionAnswerQuery<Q extends SessionQuestion>(
  question: Q,
  sessionRef: string,
  parameters: Partial<SessionParameters<Q>> & Record<string, string | number | undefined> = {} as never,
) {
  return queryOptions({
    queryKey: ['session', sessionRef, question, parameters],
    queryFn: ({ signal }) =>
      fetchJson<SessionAnswer<Q>>(sessionPath(question, sessionRef, parameters), signal),
    ...(STAYING.has(question) && { placeholderData: keepPreviousData }),
  })
}
