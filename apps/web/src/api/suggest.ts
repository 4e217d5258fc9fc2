import type { SuggestionList } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

/** Suggestions, and the query that they are for: an earlier list stays until the next one comes. */
export type Suggestions = SuggestionList & { q: string }

/** What the word or value at the caret could go on as. */
export function suggestQuery(q: string, at: number, isWanted: boolean) {
  return queryOptions({
    queryKey: ['suggest', q, at],
    queryFn: async ({ signal }): Promise<Suggestions> => ({
      ...(await fetchJson<SuggestionList>(apiPaths.suggest(q, at), signal)),
      q,
    }),
    enabled: isWanted && q.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}
