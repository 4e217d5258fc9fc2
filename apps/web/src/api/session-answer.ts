import type { SessionParameters, SessionQuestion } from '@gemini-dash/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Part, ToolOutput } from 'gemini-sessions'
import { askOfSession, fetchJson, fetchText } from './request.ts'

/** Stay visible while the next answer loads. */
const STAYING: ReadonlySet<SessionQuestion> = new Set(['context', 'waste', 'reasoning', 'what-if'])

/** Any question of the API about one session. Refetched when the session changes. */
export function sessionAnswerQuery<Q extends SessionQuestion>(
  question: Q,
  sessionRef: string,
  parameters: Partial<SessionParameters<Q>> & Record<string, string | number | undefined> = {} as never,
) {
  return queryOptions({
    queryKey: ['session', sessionRef, question, parameters],
    queryFn: ({ signal }) => askOfSession(question, sessionRef, parameters, signal),
    ...(STAYING.has(question) && { placeholderData: keepPreviousData }),
  })
}

/** The full output of a tool call that a page of messages truncates. `href` is in its `cut`. */
export function wholeOutputQuery(href: string) {
  return queryOptions({
    queryKey: ['whole', 'output', href],
    queryFn: ({ signal }) => fetchJson<ToolOutput | Part>(href, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The full text of a message part. */
export function wholeTextQuery(href: string) {
  return queryOptions({
    queryKey: ['whole', 'text', href],
    queryFn: ({ signal }) => fetchText(href, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
