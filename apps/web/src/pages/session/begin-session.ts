import type { MessageFilter } from '@gemini-dash/api'
import type { QueryClient } from '@tanstack/react-query'
import { beginWithFirstPage, messagesQuery, sessionQuery } from '../../api/session.ts'
import { PAGE_SIZE } from '../../features/conversation/feed.ts'
import { messageKeyOf } from '../../features/conversation/message-link.ts'
import { returnedPlace } from '../../lib/left-place.ts'
import type { SessionView } from '../../lib/session-search.ts'

interface Opening {
  sessionRef: string
  /** The message that the address names, or one found by a search. */
  hash: string
  hit: string | undefined
  show: MessageFilter | undefined
  /** Views and searches, which require the whole session. */
  view?: SessionView | undefined
  q?: string | undefined
}

/**
 * Requests the data for a session page while its code is still loading: messages before what requires the whole session. Does nothing for a
 * session that is already open.
 */
export function beginSession(client: QueryClient, { sessionRef, hash, hit, show, view, q }: Opening): void {
  const detail = sessionQuery(sessionRef)
  if (client.getQueryState(detail.queryKey) !== undefined) return
  const messageKey = returnedPlace()?.messageKey ?? messageKeyOf(hash) ?? hit
  const first = { offset: 0, limit: PAGE_SIZE, show }
  // Queries are refetched in creation order: rows depend on the session's data about its messages, which must be refetched first.
  client.getQueryCache().build(client, { queryKey: detail.queryKey })
  if ([messageKey, show, view, q].every((wanted) => wanted === undefined)) {
    beginWithFirstPage(client, sessionRef, first)
    return
  }
  const pages = [...(messageKey === undefined ? [] : [{ around: messageKey, limit: 3, show }]), first]
  for (const page of pages) void client.prefetchQuery(messagesQuery(sessionRef, page))
  void client.prefetchQuery(detail)
}
