import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Asks again for what is shown. What is asked for the first time just now may be answered as it was before, and is left
 * running: that is asked for once more when it is here.
 */
export async function askAgain(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const underway = new Set(
    client
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .flatMap(({ state, queryHash }) => (state.data === undefined ? queryHash : [])),
  )
  await client.invalidateQueries(filters)
  if (underway.size > 0)
    await client.invalidateQueries({ predicate: ({ queryHash }) => underway.has(queryHash) })
}
