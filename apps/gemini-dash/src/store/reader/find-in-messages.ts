import type { FindResult } from '@gemini-dash/api'
import { cutSnippet, fieldPieces, substringMatcher } from '@gemini-dash/session-index'
import type { Message } from 'gemini-sessions'

/** Every message and field of a session that contains the text, in reading order; case and accents do not matter. */
export function findInMessages(messages: Message[], q: string): FindResult {
  const matcher = substringMatcher(q)
  if (matcher === null) return { hits: [], total: 0 }
  const hits = messages.flatMap((message, offset) => {
    const fields = new Set<string>()
    return fieldPieces(message).flatMap(({ field, text }) => {
      if (fields.has(field) || !matcher.isIn(text)) return []
      fields.add(field)
      return [{ messageKey: message.key, offset, field, ...cutSnippet(text, matcher) }]
    })
  })
  return { hits, total: hits.length }
}
