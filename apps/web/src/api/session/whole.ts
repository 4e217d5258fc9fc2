import { queryOptions } from '@tanstack/react-query'
import type { Part, ToolOutput } from 'gemini-sessions'
import { fetchJson, fetchText } from '../request/fetch-json.ts'

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
    queryFn: ({ signal }) => fetchText(href, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
