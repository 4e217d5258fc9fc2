import type { FindResult } from '@gemini-dash/api'
import { cutSnippet, fieldPieces, substringMatcher } from '@gemini-dash/session-index'
import type { Message } from 'gemini-sessions'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/**
 * Every message and field of a session that contains the text, in reading order; case and accents do not matter.
 * `restore` brings messages with all that they say.
 */
export async function findInMessages(
  messages: readonly Message[],
  q: string,
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<FindResult> {
  const matcher = substringMatcher(q)
  const hits: FindResult['hits'] = []
  for (let start = 0; matcher !== null && start < messages.length; start += BATCH_MESSAGES) {
    const batch = await restore(messages.slice(start, start + BATCH_MESSAGES))
    for (const [index, message] of batch.entries()) {
      const fields = new Set<string>()
      for (const { field, text } of fieldPieces(message)) {
        if (fields.has(field) || !matcher.isIn(text)) continue
        fields.add(field)
        hits.push({ messageKey: message.key, offset: start + index, field, ...cutSnippet(text, matcher) })
      }
    }
  }
  return { hits, total: hits.length }
}
