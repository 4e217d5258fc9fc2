import type { MessagePage, MessageQuery } from '@gemini-dash/api'
import { failedKeys, type Message, type Session } from 'gemini-sessions'
import { fitsFilter } from './fits-filter.ts'

/** Which messages make one page of a session's. Offsets count the list that `superseded` and `show` leave. */
export function messagePage(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  query: MessageQuery,
  isLive = false,
): Omit<MessagePage, 'state' | 'partial'> {
  const { messages } = session
  const { show } = query
  const failed = show === 'errors' ? failedKeys(session, { isLive }) : NOBODY
  const isWhole = query.superseded === 'include' && show === undefined
  const list = isWhole
    ? messages
    : messages.filter(
        (message) =>
          (query.superseded === 'include' || message.superseded === null) &&
          (show === undefined || fitsFilter(message, show, failed)),
      )
  const offset = query.around === undefined ? query.offset : offsetAround(list, query.around, query.limit)
  const page = list.slice(offset, offset + query.limit)
  const nextOffset = offset + page.length
  return {
    messages: page,
    offset,
    total: list.length,
    nextOffset: nextOffset < list.length && page.length > 0 ? nextOffset : null,
    ...(show !== undefined && { positions: positionsOf(page, messages) }),
  }
}

const NOBODY: ReadonlySet<string> = new Set()

/** The wanted message stands at about a third of its page; an unknown one gives the first page. */
function offsetAround(list: readonly Message[], messageKey: string, limit: number): number {
  const position = list.findIndex(({ key }) => key === messageKey)
  return position === -1 ? 0 : Math.max(0, position - Math.floor(limit / 3))
}

function positionsOf(page: readonly Message[], messages: readonly Message[]): number[] {
  const positions = new Map(messages.map(({ key }, position) => [key, position]))
  return page.flatMap(({ key }) => positions.get(key) ?? [])
}
