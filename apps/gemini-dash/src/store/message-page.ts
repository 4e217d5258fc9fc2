import type { MessageFilter, MessagePage, MessageQuery, SessionDetail } from '@gemini-dash/api'
import {
  failedKeys,
  findFailures,
  type Message,
  type Session,
  saysSomething,
  type ToolCall,
} from 'gemini-sessions'

/** Whether a message has a block of the kind that the reader filters by. `failed`: keys of the messages in which something failed. */
export function fitsFilter(message: Message, filter: MessageFilter, failed: ReadonlySet<string>): boolean {
  switch (filter) {
    case 'dialogue':
      return message.origin === 'human' || (message.origin === 'model' && saysSomething(message))
    case 'errors':
      return failed.has(message.key)
    case 'edits':
      return message.toolCalls.some(isEdit)
    case 'shell':
      return message.toolCalls.some(({ name }) => name === 'run_shell_command')
    case 'thoughts':
      return message.thoughts.length > 0
  }
}

/** By name; for tools other than the CLI's own, by their result. */
function isEdit({ name, display }: ToolCall): boolean {
  return name === 'replace' || name === 'write_file' || display?.kind === 'diff'
}

/**
 * Keys of messages that the CLI no longer holds but that are shown like the rest: those of a buried session's last conversation, and those
 * dropped because their request failed, since no person took them back.
 */
export function unfoldedKeys(session: Pick<Session, 'kind' | 'messages' | 'files' | 'drawnKeys'>): string[] {
  const dropped = findFailures(session).turns.flatMap(({ dropped }) => dropped.map(({ key }) => key))
  return [...(session.drawnKeys ?? []), ...dropped]
}

/** Why the CLI's final state contains nothing of a buried session, by how its last conversation ended. */
export function findBuried({
  buried,
  drawnKeys,
  messages,
}: Pick<Session, 'buried' | 'drawnKeys' | 'messages'>): SessionDetail['buriedBy'] {
  if (!buried) return null
  const drawn = new Set(drawnKeys)
  const last = messages.findLast((message) => drawn.has(message.key) && isTalk(message))
  if (last?.superseded === 'rewound') return 'rewound'
  if (last?.superseded === 'aborted') return 'refused'
  // loading a chat begins with a context of its own, after which nothing came here
  return messages.some(({ origin, superseded }) => origin === 'injected' && superseded === null)
    ? 'failed-load'
    : 'cleared'
}

function isTalk({ origin }: Message): boolean {
  return origin === 'human' || origin === 'model'
}

/** Which messages make up one page of a session. Offsets refer to the list after the `superseded` and `show` filters. */
export function messagePage(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  query: MessageQuery,
  isLive = false,
): Omit<MessagePage, 'state' | 'partial'> {
  const { messages } = session
  const { show } = query
  const failed = show === 'errors' ? failedKeys(session, { isLive }) : NOBODY
  const shown: number[] = []
  for (const [position, message] of messages.entries())
    if (
      (query.superseded === 'include' || message.superseded === null) &&
      (show === undefined || fitsFilter(message, show, failed))
    )
      shown.push(position)
  const { positions, ...page } = pageOfShown(shown, query, (wanted) => {
    const position = messages.findIndex(({ key }) => key === wanted)
    return position === -1 ? messages.findIndex(({ key }) => key.startsWith(wanted)) : position
  })
  return {
    ...page,
    messages: positions.flatMap((position) => messages[position] ?? []),
    ...(show !== undefined && { positions }),
  }
}

/** A page of the messages at these positions, which are those that the query shows. */
export function pageOfShown(
  shown: readonly number[],
  { offset: wanted, around, limit }: Pick<MessageQuery, 'offset' | 'around' | 'limit'>,
  positionOf: (messageKey: string) => number | null,
): { positions: number[]; offset: number; total: number; nextOffset: number | null } {
  const offset = around === undefined ? wanted : offsetAround(shown, positionOf(around), limit)
  const positions = shown.slice(offset, offset + limit)
  const nextOffset = offset + positions.length
  return {
    positions,
    offset,
    total: shown.length,
    nextOffset: nextOffset < shown.length && positions.length > 0 ? nextOffset : null,
  }
}

const NOBODY: ReadonlySet<string> = new Set()

/** Puts the wanted message at about a third of its page; an unknown one gives the first page. */
function offsetAround(shown: readonly number[], position: number | null, limit: number): number {
  const place = position === null ? -1 : shown.indexOf(position)
  return place === -1 ? 0 : Math.max(0, place - Math.floor(limit / 3))
}
