import type { MessagePage, MessageQuery } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'

/** Which messages make one page of a session's. Offsets count the list that `superseded` leaves. */
export function messagePage(messages: readonly Message[], query: MessageQuery): MessagePage {
  const list =
    query.superseded === 'exclude' ? messages.filter((message) => message.superseded === null) : messages
  const offset = query.around === undefined ? query.offset : offsetAround(list, query.around, query.limit)
  const page = list.slice(offset, offset + query.limit)
  const nextOffset = offset + page.length
  return {
    messages: page,
    offset,
    total: list.length,
    nextOffset: nextOffset < list.length && page.length > 0 ? nextOffset : null,
  }
}

/** The wanted message stands at about a third of its page; an unknown one gives the first page. */
function offsetAround(list: readonly Message[], messageKey: string, limit: number): number {
  const position = list.findIndex(({ key }) => key === messageKey)
  return position === -1 ? 0 : Math.max(0, position - Math.floor(limit / 3))
}
