import type { IndexSearchRequest } from '../index-search.ts'
import { parseWords } from './parse-words.ts'
import { substringMatcher } from './substring-matcher.ts'
import type { TextMatcher } from './text-matcher.ts'
import { wordsMatcher } from './words-matcher.ts'

export interface QueryMatcher {
  /** null: the query has nothing that could be found. */
  matcher: TextMatcher | null
  notes: string[]
}

/** What the query looks for, by its mode. Any text is a valid query: what cannot be read is taken literally, and said so. */
export async function queryMatcher({
  mode,
  text,
}: Pick<IndexSearchRequest, 'mode' | 'text'>): Promise<QueryMatcher> {
  if (mode === 'words') {
    const { phrases, notes } = parseWords(text)
    return { matcher: phrases.length === 0 ? null : wordsMatcher(phrases), notes }
  }
  if (text.trim() === '') return { matcher: null, notes: ['Nothing to search for: the query is empty.'] }
  // The engine of regular expressions is large, and few ask for it.
  const regex = mode === 'regex' ? (await import('./regex-matcher.ts')).regexMatcher(text) : null
  if (regex !== null) return { matcher: regex, notes: [] }
  const matcher = substringMatcher(text)
  const notes =
    mode === 'regex'
      ? ['This is not a regular expression that can be read, so it was searched for literally.']
      : []
  return {
    matcher,
    notes:
      matcher === null ? [...notes, 'Nothing to search for: the query has no visible characters.'] : notes,
  }
}
