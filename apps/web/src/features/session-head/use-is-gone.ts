import { useSyncExternalStore } from 'react'
import { removedSessions } from '../../api/live/removed-sessions.ts'
import { ApiRequestError } from '../../api/request/api-request-error.ts'

/** Whether a session that was read has no file any more: an event said so, or asking again found nothing. */
export function useIsGone(sessionKey: string, error: Error | null): boolean {
  const isRemoved = useSyncExternalStore(removedSessions.subscribe, () => removedSessions.has(sessionKey))
  return isRemoved || (error instanceof ApiRequestError && error.code === 'not-found')
}
