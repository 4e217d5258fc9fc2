import type { FindResult } from '@gemini-dash/api'
import { findInRows, type ResolvedQuery } from '@gemini-dash/session-index'
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

/** Every message and field of a session that a search finds, in reading order. */
export async function findInMessages(
  sessionKey: string,
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  request: ResolvedQuery & { isLive?: boolean },
  restore: Restore,
): Promise<FindResult> {
  const failed = failedKeys(session, request)
  const hits: FindResult['hits'] = []
  for await (const { batch, start } of batches(session.messages, restore)) {
    for (const { index, ...found } of await findInRows(sessionKey, { messages: batch, failed }, request)) {
      const message = batch[index]
      if (message !== undefined) hits.push({ messageKey: message.key, offset: start + index, ...found })
    }
  }
  return { hits, total: hits.length }
}

async function* batches(
  messages: readonly Message[],
  restore: Restore,
): AsyncGenerator<{ batch: Message[]; start: number }> {
  for (let start = 0; start < messages.length; start += BATCH_MESSAGES) {
    yield { batch: await restore(messages.slice(start, start + BATCH_MESSAGES)), start }
  }
}
