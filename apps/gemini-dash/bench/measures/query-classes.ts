import type { SearchResult } from '@gemini-dash/api'
import type { HomeManifest } from '../../../../fixtures/large/home-manifest.ts'
import { checkCounted, checkNeedle, checkNothing } from './check-search.ts'

export interface TimedQuery {
  q: string
  mode: 'words' | 'substring' | 'regex'
  sort: 'recent' | 'relevance'
  /** Problems of the answer, according to the manifest. */
  check: (found: SearchResult) => string[]
}

export interface QueryClass {
  name: string
  queries: TimedQuery[]
}

/** Every kind of query, each with what must be found. */
export function queryClasses(manifest: HomeManifest): QueryClass[] {
  const needles = (kind: string): TimedQuery[] =>
    manifest.needles
      .filter((needle) => needle.kind === kind)
      .map((needle) => ({
        q: needle.query,
        mode: needle.mode,
        sort: 'recent',
        check: (found) => checkNeedle(needle, found),
      }))
  const counted = (kind: string, sort: TimedQuery['sort'] = 'recent'): TimedQuery[] =>
    manifest.countedQueries
      .filter((query) => query.kind === kind)
      .map((query) => ({
        q: query.query,
        mode: 'words',
        sort,
        check: (found) => checkCounted(query, found),
      }))
  const classes: QueryClass[] = [
    { name: 'rare word', queries: needles('word') },
    { name: 'common word', queries: counted('common') },
    { name: 'two words', queries: counted('and') },
    { name: 'phrase', queries: [...needles('phrase'), ...counted('phrase')] },
    { name: 'prefix', queries: [...needles('prefix'), ...counted('prefix')] },
    { name: 'two CJK characters', queries: needles('cjk') },
    { name: 'identifier', queries: needles('identifier') },
    { name: 'filters only', queries: counted('filter') },
    { name: 'common word, ranked', queries: counted('common', 'relevance') },
    { name: 'two words, ranked', queries: counted('and', 'relevance') },
    { name: 'nothing found', queries: [nothing('words', 'zyzzyva')] },
    { name: 'beyond the cap, by words', queries: beyondCapByWords(manifest) },
    { name: 'substring', queries: [...needles('substring'), ...needles('beyond-cap')] },
    { name: 'regular expression', queries: needles('regex') },
    { name: 'substring, nothing found', queries: [nothing('substring', 'zyzzyva')] },
  ]
  return classes.filter(({ queries }) => queries.length > 0)
}

function nothing(mode: TimedQuery['mode'], q: string): TimedQuery {
  return { q, mode, sort: 'recent', check: (found) => checkNothing(q, found) }
}

/** Texts that are not in the index must not be found by it: a hit would mean that outputs differ from the manifest. */
function beyondCapByWords({ needles }: HomeManifest): TimedQuery[] {
  return needles.filter(({ kind }) => kind === 'beyond-cap').map(({ query }) => nothing('words', query))
}
