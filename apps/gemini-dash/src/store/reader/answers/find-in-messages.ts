import type { FindResult } from '@gemini-dash/api'
import { findInRows, type ResolvedQuery } from '@gemini-dash/session-index'
import { failedKeys, type Message, type Session } from 'gemini-sessions'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/** Every message and field of a session that a search finds, in reading order. `restore` brings messages with all that they say. */
export async function findInMessages(
  sessionKey: string,
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  request: ResolvedQuery & { isLive?: boolean },
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<FindResult> {
  const { messages } = session
  const failed = failedKeys(session, request)
  const hits: FindResult['hits'] = []
  for (let start = 0; start < messages.length; start += BATCH_MESSAGES) {
    const batch = await restore(messages.slice(start, start + BATCH_MESSAGES))
    for (const { index, ...found } of await findInRows(sessionKey, { messages: batch, failed }, request)) {
      const message = batch[index]
      if (message !== undefined) hits.push({ messageKey: message.key, offset: start + index, ...found })
    }
  }
  return { hits, total: hits.length }
}
