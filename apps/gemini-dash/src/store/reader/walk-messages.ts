import { setImmediate } from 'node:timers/promises'
import { type FindResult, SEARCH_SECONDS } from '@gemini-dash/api'
import {
  findInRows,
  OutOfTime,
  queryMatcher,
  type ResolvedQuery,
  SearchClock,
} from '@gemini-dash/session-index'
import { failedKeys, type Message, type Session } from 'gemini-sessions'

/** Number of messages in memory with their full texts at a time. */
const WALKED_BATCH_MESSAGES = 100

/** Loads messages with their full texts. */
type Restore = (messages: readonly Message[]) => Promise<Message[]>

/** Passes a session's messages, in order and with their full texts, to a consumer of the whole session. */
export async function feedMessages(
  messages: readonly Message[],
  restore: Restore,
  add: (messages: readonly Message[]) => void,
): Promise<void> {
  for await (const { batch } of batches(messages, restore)) {
    add(batch)
    await showLife()
  }
}

/** Lets the event loop turn, so that the watch of this thread sees that it works. */
export const showLife = () => setImmediate()

/** After this time a waiting person wants to see what was found. */
const FIND_MS = SEARCH_SECONDS * 1_000

interface FindInSession extends ResolvedQuery {
  isLive?: boolean
  /** The message to begin with. */
  offset: number
  /** Limit for the thread's own work; for tests. */
  limitMs?: number
}

/**
 * Every message and field of a session that a search finds, in reading order. A slow pattern ends it before a message, where the next
 * question continues; at least one message is searched.
 */
export async function findInMessages(
  sessionKey: string,
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { offset, isLive, limitMs = FIND_MS, ...request }: FindInSession,
  restore: Restore,
): Promise<FindResult> {
  const failed = failedKeys(session, { isLive })
  const clock = new SearchClock(limitMs)
  const { matcher } = await queryMatcher(request, clock.check)
  const hits: FindResult['hits'] = []
  let messagesLeftOut = 0
  const answer = (nextOffset: number | null): FindResult => {
    const isWhole = nextOffset === null && messagesLeftOut === 0
    return { hits, total: hits.length, partial: isWhole ? null : { nextOffset, messagesLeftOut } }
  }
  // one at a time if a single message may be slow, so that the position to continue from is known
  const step = request.mode === 'words' ? WALKED_BATCH_MESSAGES : 1
  for await (const { batch, start } of batches(session.messages, restore, offset)) {
    for (let at = 0; at < batch.length; at += step) {
      if (start + at > offset && clock.isOver) return answer(start + at)
      const messages = batch.slice(at, at + step)
      clock.beginMessage()
      try {
        for (const { index, ...hit } of findInRows(sessionKey, { messages, failed }, request, matcher)) {
          const message = messages[index]
          if (message !== undefined)
            hits.push({ messageKey: message.key, offset: start + at + index, ...hit })
        }
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error
        messagesLeftOut += 1
      }
    }
    await clock.during(showLife)
  }
  return answer(null)
}

async function* batches(
  messages: readonly Message[],
  restore: Restore,
  first = 0,
): AsyncGenerator<{ batch: Message[]; start: number }> {
  for (let start = first; start < messages.length; start += WALKED_BATCH_MESSAGES) {
    yield { batch: await restore(messages.slice(start, start + WALKED_BATCH_MESSAGES)), start }
  }
}
