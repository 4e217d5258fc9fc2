import type { SearchField } from '@gemini-dash/api'
import type { Session } from 'gemini-sessions'
import { fieldPieces } from '../src/text.ts'

export interface NaiveHit {
  sessionKey: string
  messageKey: string
  field: SearchField
}

/** The oracle: searches every text of every message, one after the other, without an index. */
export function naiveSearch(sessions: Session[], phrases: string[]): NaiveHit[] {
  const wanted = phrases.map((phrase) => ` ${naiveWords(phrase).join(' ')} `)
  return sessions.flatMap((session) =>
    session.messages.flatMap((message) => {
      const pieces = fieldPieces(message).map(({ field, text }) => ({
        field,
        words: ` ${naiveWords(text).join(' ')} `,
      }))
      if (!wanted.every((phrase) => pieces.some(({ words }) => words.includes(phrase)))) return []
      const hits = pieces.filter(({ words }) => wanted.some((phrase) => words.includes(phrase)))
      return [...new Set(hits.map(({ field }) => field))].map((field) => ({
        sessionKey: session.key,
        messageKey: message.key,
        field,
      }))
    }),
  )
}

export function naiveWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
  return plain.match(/[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]|[a-z0-9]+/gu) ?? []
}
