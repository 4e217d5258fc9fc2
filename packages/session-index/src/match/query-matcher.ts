import type { ResolvedQuery } from '../contract/index-search.ts'
import { wantedTexts } from '../query/tree/query-tree.ts'
import { substringMatcher } from './substring-matcher.ts'
import type { TextMatcher } from './text-matcher.ts'
import { wordsMatcher } from './words-matcher.ts'

export interface QueryMatcher {
  /** null: the query has nothing that could be found in a text. */
  matcher: TextMatcher | null
  notes: string[]
}

/** What the query looks for, by its mode. Any text is a valid query: what cannot be read is taken literally, and said so. For `check` see `regexMatcher`. */
export async function queryMatcher(
  { mode, tree, pattern }: ResolvedQuery,
  check?: () => void,
): Promise<QueryMatcher> {
  if (mode === 'words') {
    const texts = tree === null ? [] : wantedTexts(tree)
    return { matcher: texts.length === 0 ? null : wordsMatcher(texts), notes: [] }
  }
  if (pattern.trim() === '') {
    const notes = tree === null ? ['Nothing to search for: the query is empty.'] : []
    return { matcher: null, notes }
  }
  // The engine of regular expressions is large, and few ask for it.
  const regex = mode === 'regex' ? (await import('./regex-matcher.ts')).regexMatcher(pattern, check) : null
  if (regex !== null && !('problem' in regex)) return { matcher: regex, notes: [] }
  const matcher = substringMatcher(pattern)
  const notes =
    regex === null
      ? []
      : [`This pattern cannot be read (${regex.problem}), so it was searched for literally.`]
  return {
    matcher,
    notes:
      matcher === null ? [...notes, 'Nothing to search for: the query has no visible characters.'] : notes,
  }
}
