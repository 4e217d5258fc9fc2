import { foldTextOnly } from '../text/fold-text.ts'
import { tokenize } from '../text/tokenize.ts'

/** Words that follow each other: a word, the parts of an identifier, or what stood in quotes. */
export type Phrase = string[]

export interface WordsQuery {
  /** All of them must be found within one message. */
  phrases: Phrase[]
  notes: string[]
}

export const MAX_QUERY_WORDS = 32

/** Reads a query of words. There is no syntax to get wrong: a quote without its partner is a blank. */
export function parseWords(text: string): WordsQuery {
  const phrases = new Map<string, Phrase>()
  const unsearchable: string[] = []
  for (const match of text.matchAll(QUOTED_OR_WORD)) {
    const written = match[1] ?? match[2] ?? match[0]
    const phrase = tokenize(foldTextOnly(written)).map((token) => token.text)
    if (phrase.length > 0) phrases.set(phrase.join(' '), phrase)
    else if (written.trim() !== '') unsearchable.push(written)
  }
  const all = [...phrases.values()]
  const kept = all.slice(0, MAX_QUERY_WORDS)
  return { phrases: kept, notes: notesOf(all.length - kept.length, kept.length, unsearchable) }
}

// Straight, German, French and English quotes open and close a phrase.
const QUOTES = '"“”„«»'
const QUOTED_OR_WORD = new RegExp(`[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]|([^\\s${QUOTES}]+)`, 'gu')

function notesOf(dropped: number, kept: number, unsearchable: string[]): string[] {
  const notes: string[] = []
  if (kept === 0)
    notes.push('Nothing to search for: type a word or a number, or search for a substring instead.')
  else if (unsearchable.length > 0) {
    const list = unsearchable.map((written) => `“${written}”`).join(', ')
    notes.push(`Left out, as it has no letters or digits: ${list}. A substring search finds it.`)
  }
  if (dropped > 0) notes.push(`Only the first ${MAX_QUERY_WORDS} words were searched for.`)
  return notes
}
