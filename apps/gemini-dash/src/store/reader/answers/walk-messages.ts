import { setImmediate } from 'node:timers/promises'
import type { FindResult } from '@gemini-dash/api'
import {
  findInRows,
  OutOfTime,
  queryMatcher,
  type ResolvedQuery,
  SearchClock,
} from '@gemini-dash/session-index'
import { failedKeys, type Message, type Session } from 'gemini-sessions'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/** Brings messages with all that they say. */
type Restore = (messages: readonly Message[]) => Promise<Message[]>

/** Hands a session's messages, in order and with all that they say, to what looks at the whole of it. */
export async function feedMessages(
  messages: readonly Message[],
  restore: Restore,
  add: (messages: readonly Message[]) => void,
): Promise<void> {
  for await (const { batch } of batches(messages, restore)) add(batch)
}

/** After so long somebody who waits wants to see what was found. */
const FIND_MS = 10_000

/**
 * Every message and field of a session that a search finds, in reading order. A pattern that takes long ends it before a
 * message, where the next question goes on; one message at least is searched.
 */
export async function findInMessages(
  sessionKey: string,
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { isLive, offset, limitMs = FIND_MS, ...request }: FindInSession,
  restore: Restore,
): Promise<FindResult> {
  const failed = failedKeys(session, { isLive })
  const clock = new SearchClock(limitMs)
  const { matcher } = await queryMatcher(request, clock.check)
  const hits: FindResult['hits'] = []
  const end = (nextOffset: number | null): FindResult => {
    const partial = nextOffset !== null || messagesLeftOut > 0 ? { nextOffset, messagesLeftOut } : null
    return { hits, total: hits.length, partial }
  }
  let messagesLeftOut = 0
  // Nothing else takes long on one message.
  const step = request.mode === 'regex' ? 1 : BATCH_MESSAGES
  for await (const { batch, start } of batches(session.messages, restore, offset)) {
    for (let at = 0; at < batch.length; at += step) {
      if (start + at > offset && clock.isOver) return end(start + at)
      const messages = batch.slice(at, at + step)
      clock.beginMessage()
      try {
        for (const { index, ...found } of findInRows(sessionKey, { messages, failed }, request, matcher)) {
          const message = messages[index]
          if (message !== undefined)
            hits.push({ messageKey: message.key, offset: start + at + index, ...found })
        }
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error
        messagesLeftOut += 1
      }
    }
    // Others see that this thread is alive.
    await clock.during(setImmediate)
  }
  return end(null)
}

interface FindInSession extends ResolvedQuery {
  isLive?: boolean
  /** The message to begin with. */
  offset: number
  /** The thread's work for it; for tests. */
  limitMs?: number
}

async function* batches(
  messages: readonly Message[],
  restore: Restore,
  first = 0,
): AsyncGenerator<{ batch: Message[]; start: number }> {
  for (let start = first; start < messages.length; start += BATCH_MESSAGES) {
    yield { batch: await restore(messages.slice(start, start + BATCH_MESSAGES)), start }
  }
}
