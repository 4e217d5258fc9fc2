import { queryOptions } from '@tanstack/react-query'
import type { Part, ToolOutput } from 'gemini-sessions'
import { ApiRequestError } from '../request/api-request-error.ts'
import { fetchJson } from '../request/fetch-json.ts'

/** The whole of a tool's output that a page of messages carries cut. `href` stands in its `cut`. */
export function wholeOutputQuery(href: string) {
  return queryOptions({
    queryKey: ['whole', 'output', href],
    queryFn: ({ signal }) => fetchJson<ToolOutput | Part>(href, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The whole text of a message's part. */
export function wholeTextQuery(href: string) {
  return queryOptions({
    queryKey: ['whole', 'text', href],
    queryFn: async ({ signal }) => {
      const response = await fetch(href, { signal })
      if (!response.ok)
        throw new ApiRequestError(response.status, 'internal', `The server answered ${response.status}.`)
      return response.text()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
