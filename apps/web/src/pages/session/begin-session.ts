import type { MessageFilter } from '@gemini-dash/api'
import type { QueryClient } from '@tanstack/react-query'
import { beginWithFirstPage, messagesQuery, sessionQuery } from '../../api/session.ts'
import { PAGE_SIZE } from '../../features/conversation/feed.ts'
import { messageKeyOf } from '../../features/conversation/message-link.ts'
import { returnedPlace } from '../../lib/left-place.ts'
import type { SessionView } from '../../lib/session-search.ts'

interface Opening {
  sessionRef: string
  /** What the address names: a message, or the one that a search found. */
  hash: string
  hit: string | undefined
  show: MessageFilter | undefined
  /** What else is open or looked for, which takes the whole session to tell. */
  view?: SessionView | undefined
  q?: string | undefined
}

/**
 * Asks for what the page of a session shows first while its program is still on its way: messages before what takes
 * all of the session to tell. A session that is open is not asked for again.
 */
export function beginSession(client: QueryClient, { sessionRef, hash, hit, show, view, q }: Opening): void {
  const detail = sessionQuery(sessionRef)
  if (client.getQueryState(detail.queryKey) !== undefined) return
  const messageKey = returnedPlace()?.messageKey ?? messageKeyOf(hash) ?? hit
  const first = { offset: 0, limit: PAGE_SIZE, show }
  // Queries are asked again in the order in which they came to be: rows follow what the session says of its messages, so
  // when it changes, that comes first.
  client.getQueryCache().build(client, { queryKey: detail.queryKey })
  if ([messageKey, show, view, q].every((wanted) => wanted === undefined)) {
    beginWithFirstPage(client, sessionRef, first)
    return
  }
  const pages = [...(messageKey === undefined ? [] : [{ around: messageKey, limit: 3, show }]), first]
  for (const page of pages) void client.prefetchQuery(messagesQuery(sessionRef, page))
  void client.prefetchQuery(detail)
}
