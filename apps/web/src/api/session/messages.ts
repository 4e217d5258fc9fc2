import type { MessageFilter, MessagePage } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../request/fetch-json.ts'

export type MessageWindow = {
  offset?: number
  limit?: number
  around?: string
  show?: MessageFilter | undefined
}

/** A window of a session's messages, in the order in which they are drawn. */
export function messagesQuery(sessionRef: string, window: MessageWindow) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'messages', window],
    queryFn: ({ signal }) => fetchJson<MessagePage>(apiPaths.messages(sessionRef, window), signal),
  })
}
