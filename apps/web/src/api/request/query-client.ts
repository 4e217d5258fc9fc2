import { QueryClient } from '@tanstack/react-query'
import { ApiRequestError } from './api-request-error.ts'

const MAX_RETRIES = 3
const RETRY_MS = 1_000

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
        // One that is gone is asked again without back-off: nobody waits at its door, and its return is to be seen at once.
        retryDelay: (failures, error) => (isGone(error) ? RETRY_MS : RETRY_MS * 2 ** failures),
      },
      // offline as well: else they would wait without a word until the computer is online again
      mutations: { networkMode: 'always' },
    },
  })
}

/** A refusal stays a refusal; a server that is gone or overloaded may come back. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiRequestError)) return false
  return isGone(error) || error.status === 429 || error.status === 503
}

function isGone(error: unknown): boolean {
  return error instanceof ApiRequestError && error.code === 'unreachable'
}
