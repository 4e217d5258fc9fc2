import { QueryClient } from '@tanstack/react-query'
import { ApiRequestError } from './api-request-error.ts'

const MAX_RETRIES = 3

/** Events say when something changed, so nothing is asked again by the clock. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The server is on this machine: being offline is no reason not to ask it.
        networkMode: 'always',
        staleTime: 60_000,
        gcTime: 15 * 60_000,
        retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error),
      },
    },
  })
}

/** A refusal stays a refusal; a server that is gone or overloaded may come back. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiRequestError)) return false
  return error.code === 'unreachable' || error.status === 429 || error.status === 503
}
